import EventDelivery
import Foundation
import Testing

@testable import AwesomeTracking

@Suite struct OTLPConfigurationTests {
    @Test(arguments: [
        ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/logs"), ("https://h.example/", "https://h.example/v1/logs"),
        ("https://h.example/otlp/logs", "https://h.example/otlp/logs"),
    ])
    func `an endpoint without a path gets OTLP's own`(given: String, used: String) throws {
        let configuration = try OTLPConfiguration.stub(endpoint: given)

        #expect(configuration.endpoint.url.absoluteString == used)
    }

    @Test func `an authorization that would break a request is refused`() {
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "Authorization")) {
            try OTLPConfiguration.stub(authorization: "Bearer a\r\nX: y")
        }
    }

    @Test func `names of up to 200 bytes are accepted, and an empty service name is refused`() throws {
        let long = String(repeating: "x", count: 201)

        #expect(throws: ConfigurationError.invalidValue(field: "serviceName", expected: "a name, or nothing")) {
            try OTLPConfiguration.stub(serviceName: "")
        }
        #expect(throws: ConfigurationError.invalidValue(field: "serviceName", expected: "at most 200 bytes")) {
            try OTLPConfiguration.stub(serviceName: long)
        }
        #expect(throws: ConfigurationError.invalidValue(field: "appVersion", expected: "at most 200 bytes")) {
            try OTLPConfiguration.stub(appVersion: long)
        }
        #expect(try OTLPConfiguration.stub(appVersion: String(long.dropLast())).appVersion.count == 200)
    }

    @Test func `no description shows a credential`() throws {
        let configuration = try OTLPConfiguration.stub(
            endpoint: "https://relay.example/in?key=s3cret",
            authorization: "Bearer s3cret"
        )
        let destination = OTLPDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(configuration, to: &dumped)
        dump([destination], to: &dumped)

        let texts = [
            String(describing: configuration), String(reflecting: configuration), "\([configuration])",
            String(describing: destination), String(reflecting: destination), "\([destination])", dumped,
        ]
        #expect(texts.allSatisfy { !$0.contains("s3cret") && $0.contains("relay.example") })
    }
}
