/// A parameter as an event writes it: a wire name and a value, or a wire name without one.
///
/// A module declares each of its wire names once, with the type of its values:
/// `extension EventParameter { static let listID = Key<String>("list_id") }`. An event then writes `.listID("shoes")`;
/// neither a misspelt name nor a value of another type compiles. Apart from such names it has no members.
public struct EventParameter: Sendable {
    // Storing the key's parts, and in this order, makes a parameter 40 bytes instead of 48.
    @usableFromInline var parameterValue: ParameterValue
    /// Whether the value was `nil`, so that every set leaves the parameter out; the value is a placeholder then.
    @usableFromInline let isAbsent: Bool
    @usableFromInline let keyFingerprint: UInt32
    @usableFromInline let keyName: String

    @inlinable var parameterKey: ParameterKey { ParameterKey(name: keyName, fingerprint: keyFingerprint) }

    /// Creates a parameter of a name that is not declared; what is `nil` is left out of the event.
    @inlinable
    public init(_ key: ParameterKey, _ value: (some ParameterRepresentable)?) {
        parameterValue = value?.parameterValue ?? false
        isAbsent = value == nil
        (keyFingerprint, keyName) = (key.fingerprint, key.name)
    }
}

extension EventParameter {
    /// A wire name with the type of its values, declared as a static member of ``EventParameter``.
    public struct Key<Value: ParameterRepresentable>: Sendable {
        /// The wire name.
        public let key: ParameterKey

        /// Creates a name; services check it against their own rules.
        public init(_ name: String) {
            key = ParameterKey(name)
        }

        /// Returns the parameter of this name; what is `nil` is left out of the event.
        @inlinable
        public func callAsFunction(_ value: Value?) -> EventParameter {
            EventParameter(key, value)
        }
    }
}
