/// A personal value, such as an address, that reaches a service only as a policy allows.
///
/// It is not a ``ParameterValue``, and the wrapped value is not public. ``EventParameters/sensitive(_:as:policy:)``
/// makes it a parameter with a ``SensitivePolicy``. The delivery engine applies the policy before anything is written.
/// Printed, logged, interpolated or reflected, it does not reveal the value.
///
/// ```swift
/// struct NewsletterOrdered: CoreTrackable {
///     let mail: Sensitive<String>
///
///     var services: [EventService] {
///         AwesomeTrackingEvent("newsletter_ordered", .sensitive(mail, as: "mail", policy: .hash))
///     }
/// }
/// ```
public struct Sensitive<Value: ParameterRepresentable>: Sendable {
    /// The wrapped value, which only the policy may read.
    let value: Value

    /// Wraps a value.
    ///
    /// - Parameter value: The personal value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension Sensitive: Equatable where Value: Equatable {}

extension Sensitive: Hashable where Value: Hashable {}

extension Sensitive: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "‹redacted›" }
    public var debugDescription: String { "‹redacted›" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Sensitive: SensitiveText {
    package func occurs(in text: String) -> Bool {
        value.parameterValue.occurs(in: text)
    }
}

/// A sensitive value, which a test can search for without reading it.
package protocol SensitiveText {
    /// Whether a text contains the value, or an element of a list or of an object, written as text.
    ///
    /// - Parameter text: The text to search.
    func occurs(in text: String) -> Bool
}

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
    /// Whether a text contains the value or one of its elements, written as text.
    fileprivate func occurs(in text: String) -> Bool {
        switch self {
        case .string(let own): !own.isEmpty && text.contains(own)
        case .int, .double, .bool: self.text.map(text.contains) ?? false
        case .array(let elements): elements.contains { $0.occurs(in: text) }
        case .object(let members): members.contains { $0.value.occurs(in: text) }
        }
    }

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

/// A rule for passing a sensitive value to a service.
public enum SensitivePolicy: Sendable, Hashable {
    /// The value is never sent.
    ///
    /// The event's code still shows that the value exists.
    case drop
    /// The value is sent as 64 hexadecimal digits: its HMAC-SHA-256 with the app's salt as the key.
    ///
    /// Equal values have equal digits under the same salt. If the app has no salt, nothing is sent.
    /// Nothing is sent for a list or an object either, because it has no hash.
    case hash
    /// The value is sent unchanged to a service with this purpose, and not at all to any other service.
    case pass(ConsentPurpose)
}
