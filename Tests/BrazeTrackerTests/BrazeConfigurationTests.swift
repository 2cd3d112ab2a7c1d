import BrazeTracker
import EventDelivery
import Testing

@Suite struct BrazeConfigurationTests {
    private static let endpoint = "https://rest.fra-01.braze.eu/users/track"

    @Test(arguments: ["", "hu sh", "\"hush\"", "hu\r\nsh", "hüsh"])
    func `a key of the wrong form is refused and not repeated`(key: String) {
        let expected = "visible ASCII characters without quotes"

        #expect(throws: ConfigurationError.invalidValue(field: "apiKey", expected: expected)) {
            try BrazeConfiguration(endpoint: Self.endpoint, apiKey: Secret(key))
        }
    }

    @Test(arguments: [(0, false), (1, true), (75, true), (76, false)])
    func `a request holds 1 to 75 events`(events: Int, isTaken: Bool) {
        let configuration = try? BrazeConfiguration(endpoint: Self.endpoint, apiKey: "k", eventsPerRequest: events)

        #expect((configuration != nil) == isTaken)
    }

    @Test(arguments: ["", "rest.fra-01.braze.eu", "http://rest.fra-01.braze.eu", "https://u:p@rest.braze.eu"])
    func `an address of the wrong form is refused`(endpoint: String) {
        #expect(throws: ConfigurationError.self) { try BrazeConfiguration(endpoint: endpoint, apiKey: "k") }
    }

    @Test func `an empty app id is refused`() {
        #expect(throws: ConfigurationError.self) {
            try BrazeConfiguration(endpoint: Self.endpoint, apiKey: "k", appID: "")
        }
    }

    @Test func `the key is in no description`() throws {
        let configuration = try BrazeConfiguration(endpoint: Self.endpoint, apiKey: "hush-hush")
        let destination = BrazeDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(destination, to: &dumped)

        for text in ["\(configuration)", String(reflecting: configuration), "\(destination)", dumped] {
            #expect(!text.contains("hush"))
        }
    }
}
