/// A sensitive value on its way to the service that its parameters are for.
package struct SensitiveParameter: Sendable, Hashable {
    /// The parameter's wire name.
    package let key: ParameterKey
    /// How the value reaches the service.
    package let policy: SensitivePolicy
    /// The value, for the policy alone.
    private let value: ParameterValue

    init(key: ParameterKey, policy: SensitivePolicy, value: ParameterValue) {
        self.key = key
        self.policy = policy
        self.value = value
    }

    /// How deep the value is, how large it is with its key, and that it is sensitive.
    var extent: Extent {
        var extent = Extent(byteCount: key.name.utf8.count)
        extent.note(value)
        extent.marks.insert(.sensitive)
        return extent
    }

    /// The value as a service of a purpose gets it; `nil` where it gets none.
    ///
    /// `hash` answers the hash of a text, or `nil` where the app has no salt.
    package func disclosed(for purpose: String, hash: (String) -> String?) -> ParameterValue? {
        switch policy {
        case .drop: nil
        case .hash: value.text.flatMap(hash).map { .string($0) }
        case .pass(let allowed): allowed.name == purpose ? value.disclosed(for: purpose, hash: hash) : nil
        }
    }

    /// The value as text, to find by a checksum of it what is stored; `nil` for what is more than one value.
    package var text: String? { value.text }

    /// The parameter under another key.
    package func renamed(_ key: ParameterKey) -> SensitiveParameter {
        SensitiveParameter(key: key, policy: policy, value: value)
    }

    /// A text that tells the parameter from others, also by its value, and shows nothing of the value.
    package var fingerprint: String {
        "sensitive, \(policy), value \(String(UInt(bitPattern: value.hashValue), radix: 16))"
    }
}

extension SensitiveParameter: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(key): ‹redacted›" }
    package var debugDescription: String { description }
    /// Has no children.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension SensitivePolicy: CustomStringConvertible {
    public var description: String {
        switch self {
        case .drop: "drop"
        case .hash: "hash"
        case .pass(let purpose): "pass for \(purpose.name)"
        }
    }
}

extension ParameterValue {
    /// The value as text, as far as it is one value.
    package var text: String? {
        switch self {
        case .string(let text): text
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .bool(let flag): String(flag)
        case .array, .object: nil
        }
    }
}
