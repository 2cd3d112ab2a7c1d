import AdobeTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite struct AdobeConfigurationTests {
    @Test(arguments: ["", "a b", "a&b=c", "a\nb", "ä"])
    func `a datastream's id of the wrong form is refused`(id: String) {
        #expect(
            throws: ConfigurationError.invalidValue(
                field: "datastreamID",
                expected: "letters, digits, \"-\", \"_\" and \":\""
            )
        ) { try AdobeConfiguration(datastreamID: id) }
    }

    @Test(arguments: ["acme", "_", "", "_a.b"])
    func `a tenant without its underscore is refused`(tenant: String) {
        #expect(throws: ConfigurationError.invalidValue(field: "tenant", expected: "\"_\" and the tenant's name")) {
            try AdobeConfiguration(datastreamID: "d", tenant: tenant)
        }
    }

    @Test(arguments: ["", "FPID", "a b"])
    func `a namespace that users cannot have is refused`(namespace: String) {
        #expect(throws: ConfigurationError.self) {
            try AdobeConfiguration(datastreamID: "d", userNamespace: namespace)
        }
    }

    @Test(arguments: [
        (nil, "https://edge.adobedc.net/ee/v2/collect"), ("https://data.example", "https://data.example/ee/v2/collect"),
        ("https://relay.example/c", "https://relay.example/c"),
    ])
    func `an endpoint without a path gets that of the Edge Network`(address: String?, url: String) throws {
        let endpoint = try address.map { try Endpoint($0) }
        let configuration = try AdobeConfiguration(datastreamID: "d", endpoint: endpoint)

        let request = try AdobeDestination(product: "DL", configuration: configuration).request(carrying: [.stub()])

        #expect(request.url.absoluteString.hasPrefix("\(url)?datastreamId=d&requestId="))
    }

    @Test func `no description shows the query of an address`() throws {
        let relay = try Endpoint("https://relay.example/c?key=hush")
        let configuration = try AdobeConfiguration(datastreamID: "d", endpoint: relay)
        let destination = AdobeDestination(product: "DL", configuration: configuration)
        var dumped = ""

        dump(destination, to: &dumped)

        for text in ["\(configuration)", String(reflecting: configuration), "\(destination)", dumped] {
            #expect(!text.contains("hush"))
        }
    }
}
