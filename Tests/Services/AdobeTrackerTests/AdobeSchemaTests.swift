import CoreTracker
import EventDelivery
import Testing

@testable import AdobeTracker

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

        #expect(schema.identity(of: userID) == nil)
    }

    @Test func `a signed-in user is under the namespace, after the installation`() throws {
        let schema = try AdobeSchema(tenant: nil, userNamespace: "Loyalty")

        let identity = try #require(schema.identity(of: "u-1"))

        #expect(identity.key == "Loyalty")
        #expect(identity.value == [["id": "u-1", "primary": false, "authenticatedState": "authenticated"]])
    }

    @Test(arguments: [("acme", "CRMID"), ("_", "CRMID"), ("_a b", "CRMID"), (nil, ""), (nil, "FPID"), (nil, "ä")])
    func `a tenant or a namespace of the wrong form is refused`(tenant: String?, namespace: String) {
        #expect(throws: ConfigurationError.self) { try AdobeSchema(tenant: tenant, userNamespace: namespace) }
    }
}
