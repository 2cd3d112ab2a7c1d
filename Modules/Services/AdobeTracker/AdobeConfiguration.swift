public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The address and the schema for Adobe's events, validated when the configuration is created.
public struct AdobeConfiguration: Sendable {
    /// The members of an event's `xdm` that a parameter can set, if it has the same name and is an object or a list.
    public static let standardMembers: Set<String> = [
        "application", "commerce", "device", "environment", "mediaCollection", "placeContext", "productListItems",
        "web",
    ]

    /// The address that receives events, without the query.
    ///
    /// If the endpoint has no path, the path is `/ee/v2/collect`.
    let endpoint: Endpoint
    /// The id of the datastream.
    let datastreamID: String
    /// The organization's part of the schema.
    let schema: AdobeSchema
    /// The app's URI and version for `implementationDetails`.
    let implementation: (name: String, version: String)?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - datastreamID: The datastream's id, which is not secret.
    ///   - endpoint: The organization's domain or a relay, or `nil` for `https://edge.adobedc.net`.
    ///   - tenant: The tenant's namespace with its underscore, such as `_acme`. It is the member for custom fields.
    ///   - userNamespace: The namespace of signed-in users, which must exist in the sandbox.
    ///   - implementation: The app's URI and version.
    /// - Throws: A `ConfigurationError` for the first invalid value.
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
