public import EventDelivery
import Foundation

/// Where Adobe's events go and how they are built; checked when it is made.
public struct AdobeConfiguration: Sendable {
    /// The members of an event's `xdm` that a parameter of the same name fills when it is an object or a list.
    public static let standardMembers: Set<String> = [
        "application", "commerce", "device", "environment", "mediaCollection", "placeContext", "productListItems",
        "web",
    ]

    /// The address of `collect`, without the query.
    let endpoint: Endpoint
    /// The datastream.
    let datastreamID: String
    /// The members of `xdm` that parameters fill.
    let members: Set<String>
    /// The identity namespace of signed-in users.
    let userNamespace: String
    /// The app as `implementationDetails` names it: its URI and version.
    let implementation: (name: String, version: String)?

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - datastreamID: The datastream's id; it is no secret.
    ///   - endpoint: The address of `collect`, on Adobe's host, on an own domain, or on a relay.
    ///   - tenant: The tenant's namespace with its underscore, such as `_acme`; the member for custom fields.
    ///   - userNamespace: The namespace of signed-in users, which must exist in the sandbox.
    ///   - implementation: The app's URI and version.
    public init(
        datastreamID: String,
        endpoint: String = "https://edge.adobedc.net/ee/v2/collect",
        tenant: String? = nil,
        userNamespace: String = "CRMID",
        implementation: (name: String, version: String)? = nil
    ) throws(ConfigurationError) {
        self.endpoint = try Endpoint(endpoint)
        guard !datastreamID.isEmpty, datastreamID.utf8.allSatisfy(AdobeConfiguration.isIDCharacter) else {
            throw .invalidValue(field: "datastreamID", expected: "letters, digits, \"-\", \"_\" and \":\"")
        }
        if let tenant {
            guard tenant.hasPrefix("_"), tenant.utf8.count > 1, tenant.utf8.allSatisfy(AdobeConfiguration.isIDCharacter)
            else { throw .invalidValue(field: "tenant", expected: "\"_\" and the tenant's name") }
        }
        guard !userNamespace.isEmpty, userNamespace != AdobeConfiguration.deviceNamespace,
            userNamespace.utf8.allSatisfy(AdobeConfiguration.isIDCharacter)
        else { throw .invalidValue(field: "userNamespace", expected: "a namespace other than FPID") }
        self.datastreamID = datastreamID
        members = AdobeConfiguration.standardMembers.union(tenant.map { [$0] } ?? [])
        self.userNamespace = userNamespace
        self.implementation = implementation
    }

    /// The namespace of an installation's own id.
    static let deviceNamespace = "FPID"

    private static func isIDCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_:".utf8.contains(byte)
        }
    }
}

extension AdobeConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { endpoint.description }
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.description]) }
}
