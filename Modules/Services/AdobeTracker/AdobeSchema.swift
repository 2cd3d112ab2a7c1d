import CoreTracker
import EventDelivery

/// The organization's part of an XDM schema, validated when it is created.
struct AdobeSchema: Sendable {
    /// The members of `xdm` that parameters can set.
    let members: Set<String>
    /// The identity namespace of signed-in users.
    let userNamespace: String

    /// The namespace of the installation's id.
    static let deviceNamespace = "FPID"
    /// The namespaces of installations, whose ids have a form of their own.
    ///
    /// The Edge Network would reject a user's id in them.
    private static let installationNamespaces: Set<String> = ["FPID", "ECID"]

    /// Creates a schema.
    ///
    /// - Parameters:
    ///   - tenant: The tenant's namespace with its underscore, such as `_acme`.
    ///   - userNamespace: The namespace of signed-in users.
    /// - Throws: A `ConfigurationError` for the first invalid value.
    init(tenant: String?, userNamespace: String) throws(ConfigurationError) {
        if let tenant {
            guard tenant.hasPrefix("_"), tenant.utf8.count > 1, tenant.utf8.allSatisfy(AdobeSchema.isIDCharacter)
            else { throw .invalidValue(field: "tenant", expected: "\"_\" and the tenant's name") }
        }
        guard !userNamespace.isEmpty, !AdobeSchema.installationNamespaces.contains(userNamespace.uppercased()),
            userNamespace.utf8.allSatisfy(AdobeSchema.isIDCharacter)
        else { throw .invalidValue(field: "userNamespace", expected: "a namespace other than FPID and ECID") }
        members = AdobeConfiguration.standardMembers.union(tenant.map { [$0] } ?? [])
        self.userNamespace = userNamespace
    }

    /// Separates the parameters for `xdm` from those for `data`, which no schema restricts.
    func split(_ parameters: EventParameters) -> (members: EventParameters, data: EventParameters) {
        func part(_ isIncluded: (EventParameters.Element) -> Bool) -> EventParameters {
            EventParameters(parameters.filter(isIncluded).map { ($0.key, $0.value) })
        }
        return (part(isMember), part { !isMember($0) })
    }

    /// Returns the entry of the identity map for a signed-in user, or `nil` if there is none.
    func identity(of userID: String?, isPrimary: Bool) -> (key: ParameterKey, value: ParameterValue)? {
        guard let userID, !userID.isEmpty else { return nil }
        let entry: ParameterValue = [
            ["id": .string(userID), "primary": .bool(isPrimary), "authenticatedState": "authenticated"]
        ]
        return (ParameterKey(userNamespace), entry)
    }

    private func isMember(_ parameter: EventParameters.Element) -> Bool {
        switch parameter.value {
        case .array, .object: members.contains(parameter.key.name)
        case .string, .int, .double, .bool: false
        }
    }

    /// Whether an id or a namespace may contain a byte.
    static func isIDCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_:".utf8.contains(byte)
        }
    }
}
