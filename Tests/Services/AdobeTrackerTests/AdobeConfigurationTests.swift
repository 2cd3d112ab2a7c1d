import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import AdobeTracker

@Suite struct AdobeConfigurationTests {
    @Test(arguments: ["", "a b", "a&b=c", "a\nb", "ä"])
    func `a malformed id of a datastream is refused`(id: String) {
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

    @Test(arguments: ["", "FPID", "fpid", "ECID", "a b"])
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

@Suite struct AdobeSchemaTests {
    @Test func `objects and lists named like a member go into the schema, everything else into data`() throws {
        let schema = try AdobeSchema(tenant: "_acme", userNamespace: "CRMID")

        let (members, data) = schema.split([
            "commerce": ["order": [:]], "_acme": [1], "web": "text", "_other": [:], "coupon": "W10",
        ])

        #expect(members == ["commerce": ["order": [:]], "_acme": [1]])
        #expect(data == ["web": "text", "_other": [:], "coupon": "W10"])
    }

    @Test(arguments: [nil, ""])
    func `without a user there is no identity`(userID: String?) throws {
        let schema = try AdobeSchema(tenant: nil, userNamespace: "CRMID")

        #expect(schema.identity(of: userID, isPrimary: false) == nil)
    }

    @Test func `a signed-in user is under the namespace, after the installation`() throws {
        let schema = try AdobeSchema(tenant: nil, userNamespace: "Loyalty")

        let identity = try #require(schema.identity(of: "u-1", isPrimary: false))

        #expect(identity.key == "Loyalty")
        #expect(identity.value == [["id": "u-1", "primary": false, "authenticatedState": "authenticated"]])
    }

    @Test(arguments: [("acme", "CRMID"), ("_", "CRMID"), ("_a b", "CRMID"), (nil, ""), (nil, "FPID"), (nil, "ä")])
    func `a malformed tenant or namespace is refused`(tenant: String?, namespace: String) {
        #expect(throws: ConfigurationError.self) { try AdobeSchema(tenant: tenant, userNamespace: namespace) }
    }
}
