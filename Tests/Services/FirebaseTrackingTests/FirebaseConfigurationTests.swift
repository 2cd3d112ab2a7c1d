import EventDelivery
import Foundation
import Testing

@testable import FirebaseTracking

@Suite struct FirebaseConfigurationTests {
    @Test(arguments: ["1:1234567890:ios:0a1b2c3d4e5f6789", "1:1:android:A", "2:99:web:zZ9"])
    func `an app id of Firebase is accepted`(id: String) throws {
        let configuration = try FirebaseConfiguration.stub(firebaseAppID: id)

        #expect(configuration.firebaseAppID == id)
    }

    @Test(arguments: [
        "", "1", "1:2:ios", "1:2:ios:", "1::ios:a", "x:2:ios:a", "12:2:ios:a", "1:2:i0s:a", "1:2:ios:a:b",
        "1:2:ios:a b",
        "G-XXXXXXX", "1:2:ios:ä",
    ])
    func `another app id is refused`(id: String) {
        #expect(
            throws: ConfigurationError.invalidValue(
                field: "firebaseAppID",
                expected: "of the form 1:1234567890:ios:0a1b2c3d4e5f6789"
            )
        ) {
            try FirebaseConfiguration.stub(firebaseAppID: id)
        }
    }

    @Test(arguments: ["", "a b", "a\nb", "schlüssel"])
    func `a secret of other than visible ASCII characters is refused`(secret: String) {
        #expect(
            throws: ConfigurationError.invalidValue(
                field: "apiSecret",
                expected: "visible ASCII characters, at least one"
            )
        ) {
            try FirebaseConfiguration.stub(apiSecret: Secret(secret))
        }
    }

    @Test(arguments: ["0f1e2d3c4b5a69788796a5b4c3d2e1f0", "0F1E2D3C4B5A69788796A5B4C3D2E1F0", nil])
    func `an app instance id has 32 hexadecimal digits`(id: String?) throws {
        let configuration = try FirebaseConfiguration.stub(appInstanceID: id)

        #expect(configuration.appInstanceID == id)
    }

    @Test(arguments: [
        "", "0f1e2d3c4b5a69788796a5b4c3d2e1f", "0f1e2d3c4b5a69788796a5b4c3d2e1f00", "0f1e2d3c-4b5a69788796a5b4c3d2e1f",
    ])
    func `another app instance id is refused`(id: String) {
        #expect(throws: ConfigurationError.invalidValue(field: "appInstanceID", expected: "32 hexadecimal digits")) {
            try FirebaseConfiguration.stub(appInstanceID: id)
        }
    }

    @Test func `without an endpoint events go to Google`() throws {
        let configuration = try FirebaseConfiguration(
            firebaseAppID: "1:1234567890:ios:0a1b2c3d4e5f6789",
            apiSecret: "s"
        )

        #expect(configuration.endpoint.url.absoluteString == "https://www.google-analytics.com/mp/collect")
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/mp/collect"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/mp/collect"),
        ("https://relay.example/ga", "https://relay.example/ga"),
        ("https://relay.example?v=1", "https://relay.example/mp/collect?v=1"),
    ])
    func `an endpoint without a path gets the protocol's own`(given: String, used: String) throws {
        let configuration = try FirebaseConfiguration.stub(endpoint: given)

        #expect(configuration.endpoint.url.absoluteString == used)
    }

    @Test func `no description shows the secret`() throws {
        let configuration = try FirebaseConfiguration.stub(endpoint: "https://relay.example/ga?key=s3cret")
        let destination = FirebaseDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(configuration, to: &dumped)
        dump(destination, to: &dumped)
        dump([destination], to: &dumped)

        let texts = [
            String(describing: configuration), String(reflecting: configuration), "\([configuration])",
            String(describing: destination), String(reflecting: destination), "\([destination])", dumped,
        ]
        #expect(texts.allSatisfy { !$0.contains("s3cret") })
        #expect(texts.allSatisfy { $0.contains("relay.example") })
    }
}
