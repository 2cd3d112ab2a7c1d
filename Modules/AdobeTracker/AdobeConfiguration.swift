public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where Adobe's events go and how they are built; checked when it is made.
public struct AdobeConfiguration: Sendable {
    /// The members of an event's `xdm` that a parameter of the same name fills when it is an object or a list.
    public static let standardMembers: Set<String> = [
        "application", "commerce", "device", "environment", "mediaCollection", "placeContext", "productListItems",
        "web",
    ]

    /// Where events are sent, without the query; an endpoint without a path stands for `/ee/v2/collect`.
    let endpoint: Endpoint
    /// The datastream.
    let datastreamID: String
    /// What the organisation's schema has of its own.
    let schema: AdobeSchema
    /// The app as `implementationDetails` names it: its URI and version.
    let implementation: (name: String, version: String)?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - datastreamID: The datastream's id; it is no secret.
    ///   - endpoint: The organisation's own domain or a relay; `nil` for `https://edge.adobedc.net`.
    ///   - tenant: The tenant's namespace with its underscore, such as `_acme`; the member for custom fields.
    ///   - userNamespace: The namespace of signed-in users, which must exist in the sandbox.
    ///   - implementation: The app's URI and version.
    public init(
        datastreamID: String,
        endpoint: Endpoint? = nil,
        tenant: String? = nil,
        userNamespace: String = "CRMID",
        implementation: (name: String, version: String)? = nil
    ) throws(ConfigurationError) {
        let address = if let endpoint { endpoint } else { try Endpoint("https://edge.adobedc.net") }
        self.endpoint = try address.replacingEmptyPath(with: "/ee/v2/collect")
        guard !datastreamID.isEmpty, datastreamID.utf8.allSatisfy(AdobeSchema.isIDCharacter) else {
            throw .invalidValue(field: "datastreamID", expected: "letters, digits, \"-\", \"_\" and \":\"")
        }
        schema = try AdobeSchema(tenant: tenant, userNamespace: userNamespace)
        self.datastreamID = datastreamID
        self.implementation = implementation
    }
}

extension AdobeConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { endpoint.description }
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.description]) }
}
