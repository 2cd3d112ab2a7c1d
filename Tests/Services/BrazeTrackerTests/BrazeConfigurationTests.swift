import BrazeTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite struct BrazeConfigurationTests {
    private let endpoint: Endpoint

    init() throws {
        endpoint = try Endpoint("https://rest.fra-01.braze.eu")
    }

    @Test(arguments: ["", "hu sh", "\"hush\"", "hu\r\nsh", "hüsh"])
    func `a malformed key is refused, and its error does not contain it`(key: String) {
        let expected = "visible ASCII characters without quotes"

        #expect(throws: ConfigurationError.invalidValue(field: "apiKey", expected: expected)) {
            try BrazeConfiguration(endpoint: endpoint, apiKey: Secret(key))
        }
    }

    @Test(arguments: [(0, false), (1, true), (75, true), (76, false)])
    func `a request holds 1 to 75 events`(events: Int, isTaken: Bool) {
        let configuration = try? BrazeConfiguration(endpoint: endpoint, apiKey: "k", eventsPerRequest: events)

        #expect((configuration != nil) == isTaken)
    }

    @Test(arguments: [
        ("https://rest.fra-01.braze.eu", "https://rest.fra-01.braze.eu/users/track"),
        ("https://relay.example/braze", "https://relay.example/braze"),
    ])
    func `an instance's host gets the path of its REST API`(address: String, url: String) throws {
        let configuration = try BrazeConfiguration(endpoint: Endpoint(address), apiKey: "k")

        let request = try BrazeDestination(product: "DL", configuration: configuration).request(carrying: [.stub()])

        #expect(request.url.absoluteString == url)
    }

    @Test func `an empty app id is refused`() {
        #expect(throws: ConfigurationError.self) {
            try BrazeConfiguration(endpoint: endpoint, apiKey: "k", appID: "")
        }
    }

    @Test func `the key is in no description`() throws {
        let configuration = try BrazeConfiguration(endpoint: endpoint, apiKey: "hush-hush")
        let destination = BrazeDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(destination, to: &dumped)

        for text in ["\(configuration)", String(reflecting: configuration), "\(destination)", dumped] {
            #expect(!text.contains("hush"))
        }
    }
}
