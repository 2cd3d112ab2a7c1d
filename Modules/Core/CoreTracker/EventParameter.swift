/// A parameter of an event: a wire name and an optional value.
///
/// A module declares each of its wire names once, with the type of its values: `extension EventParameter { static let
/// listID = Key<String>("list_id") }`. An event then writes `.listID("shoes")`. A misspelled name or a value of another
/// type does not compile.
public struct EventParameter: Sendable {
    // Storing the parts of the key in this order makes a parameter 40 bytes instead of 48.
    @usableFromInline var parameterValue: ParameterValue
    /// Whether the value is `nil`.
    ///
    /// Every set of parameters leaves the parameter out; its stored value is a placeholder.
    @usableFromInline let isAbsent: Bool
    @usableFromInline let keyFingerprint: UInt32
    @usableFromInline let keyName: String

    @inlinable var parameterKey: ParameterKey { ParameterKey(name: keyName, fingerprint: keyFingerprint) }

    /// Creates a parameter from a name that is not declared as a ``Key``.
    ///
    /// - Parameters:
    ///   - key: The wire name.
    ///   - value: The value. If it is `nil`, the event leaves the parameter out.
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

        /// Creates a wire name.
        ///
        /// - Parameter name: The name. Each service checks it against its own rules.
        public init(_ name: String) {
            key = ParameterKey(name)
        }

        /// Creates a parameter with this name.
        ///
        /// - Parameter value: The value. If it is `nil`, the event leaves the parameter out.
        /// - Returns: The parameter.
        @inlinable
        public func callAsFunction(_ value: Value?) -> EventParameter {
            EventParameter(key, value)
        }
    }
}
