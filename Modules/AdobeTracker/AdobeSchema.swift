import CoreTracker
import EventDelivery

/// What an organisation's XDM schema has of its own; checked when it is made.
struct AdobeSchema: Sendable {
    /// The members of `xdm` that parameters fill.
    let members: Set<String>
    /// The identity namespace of signed-in users.
    let userNamespace: String

    /// The namespace of an installation's own id.
    static let deviceNamespace = "FPID"

    /// Checks the tenant's namespace with its underscore, such as `_acme`, and the namespace of signed-in users.
    init(tenant: String?, userNamespace: String) throws(ConfigurationError) {
        if let tenant {
            guard tenant.hasPrefix("_"), tenant.utf8.count > 1, tenant.utf8.allSatisfy(AdobeSchema.isIDCharacter)
            else { throw .invalidValue(field: "tenant", expected: "\"_\" and the tenant's name") }
        }
        guard !userNamespace.isEmpty, userNamespace != AdobeSchema.deviceNamespace,
            userNamespace.utf8.allSatisfy(AdobeSchema.isIDCharacter)
        else { throw .invalidValue(field: "userNamespace", expected: "a namespace other than FPID") }
        members = AdobeConfiguration.standardMembers.union(tenant.map { [$0] } ?? [])
        self.userNamespace = userNamespace
    }

    /// Parts parameters into members of `xdm` and what belongs into `data`, where no schema can refuse it.
    func split(_ parameters: EventParameters) -> (members: EventParameters, data: EventParameters) {
        func part(_ isIncluded: (EventParameters.Element) -> Bool) -> EventParameters {
            EventParameters(parameters.filter(isIncluded).map { ($0.key, $0.value) })
        }
        return (part(isMember), part { !isMember($0) })
    }

    /// The entry of the identity map for a signed-in user; `nil` for none.
    func identity(of userID: String?) -> (key: ParameterKey, value: ParameterValue)? {
        guard let userID, !userID.isEmpty else { return nil }
        let entry: ParameterValue = [
            ["id": .string(userID), "primary": false, "authenticatedState": "authenticated"]
        ]
        return (ParameterKey(userNamespace), entry)
    }

    private func isMember(_ parameter: EventParameters.Element) -> Bool {
        switch parameter.value {
        case .array, .object: members.contains(parameter.key.name)
        case .string, .int, .double, .bool: false
        }
    }

    /// Whether a byte may stand in an id or a namespace.
    static func isIDCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_:".utf8.contains(byte)
        }
    }
}
