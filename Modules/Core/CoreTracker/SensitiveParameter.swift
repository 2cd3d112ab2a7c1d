/// A sensitive value with its wire name and its policy.
package struct SensitiveParameter: Sendable, Hashable {
    /// The parameter's wire name.
    package let key: ParameterKey
    /// The rule for passing the value to a service.
    package let policy: SensitivePolicy
    /// The value, which only the policy may read.
    private let value: ParameterValue

    init(key: ParameterKey, policy: SensitivePolicy, value: ParameterValue) {
        self.key = key
        self.policy = policy
        self.value = value
    }

    /// The depth and size of the value with its key, marked as sensitive.
    var extent: Extent {
        var extent = Extent(byteCount: key.name.utf8.count)
        extent.record(value)
        extent.marks.insert(.sensitive)
        return extent
    }

    /// Returns the value as a service receives it, or `nil` if the policy withholds it.
    ///
    /// - Parameters:
    ///   - purpose: The purpose of the service.
    ///   - hash: Returns the hash of a text, or `nil` if the app has no salt.
    package func redacted(for purpose: String, hash: (String) -> String?) -> ParameterValue? {
        switch policy {
        case .drop: nil
        case .hash: value.text.flatMap(hash).map { .string($0) }
        case .pass(let allowed): allowed.name == purpose ? value.redacted(for: purpose, hash: hash) : nil
        }
    }

    /// The value as text, for finding stored events by a checksum of it.
    ///
    /// It is `nil` for a list or an object.
    package var text: String? { value.text }

    /// Returns the parameter under another key.
    ///
    /// - Parameter key: The new wire name.
    package func renamed(_ key: ParameterKey) -> SensitiveParameter {
        SensitiveParameter(key: key, policy: policy, value: value)
    }

    /// A text that identifies the parameter and its value in this process without revealing the value.
    package var fingerprint: String {
        "sensitive, \(policy), value \(String(UInt(bitPattern: value.hashValue), radix: 16))"
    }
}

extension SensitiveParameter: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(key): ‹redacted›" }
    package var debugDescription: String { description }
    /// A mirror without children.
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
    /// The value as text, or `nil` for a list or an object.
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
