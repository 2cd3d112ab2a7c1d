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
    /// Whether the name is declared as a ``Key``, so its type says whether it can be absent.
    @usableFromInline let isDeclared: Bool
    @usableFromInline let keyFingerprint: UInt32
    @usableFromInline let keyName: String

    @inlinable package var parameterKey: ParameterKey { ParameterKey(name: keyName, fingerprint: keyFingerprint) }

    /// The value, or `nil` if the parameter is left out.
    package var value: ParameterValue? { isAbsent ? nil : parameterValue }

    /// Creates a parameter from a name that is not declared as a ``Key``.
    ///
    /// - Parameters:
    ///   - key: The wire name.
    ///   - value: The value. If it is `nil`, the event leaves the parameter out and counts as adjusted (`value_nil`).
    @inlinable
    public init(_ key: ParameterKey, _ value: (some ParameterRepresentable)?) {
        self.init(key, value, isDeclared: false)
    }

    @inlinable
    init(_ key: ParameterKey, _ value: (some ParameterRepresentable)?, isDeclared: Bool) {
        parameterValue = value?.parameterValue ?? false
        (isAbsent, self.isDeclared) = (value == nil, isDeclared)
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
            EventParameter(key, value, isDeclared: true)
        }
    }
}

/// The wire name of a parameter.
///
/// A static member next to the event declares each key once. A misspelled name then does not compile: `extension
/// ParameterKey { static let basketID: ParameterKey = "basket_id" }`.
public struct ParameterKey: Sendable, Hashable {
    /// The name as the service receives it.
    public let name: String
    /// A checksum of an ASCII name, or 0 for any other name, because equal non-ASCII strings can have different bytes.
    @usableFromInline let fingerprint: UInt32

    /// Creates a key.
    ///
    /// - Parameter name: The wire name. Each service checks it against its own rules.
    public init(_ name: String) {
        self.name = name
        fingerprint = ParameterKey.fingerprint(of: name)
    }

    /// Creates a key from the stored parts of another one.
    @inlinable
    init(name: String, fingerprint: UInt32) {
        (self.name, self.fingerprint) = (name, fingerprint)
    }

    /// Returns the FNV-1a hash of an ASCII name.
    ///
    /// A hash of 0 becomes 1.
    private static func fingerprint(of name: String) -> UInt32 {
        let fingerprint = unsafe name.utf8.withContiguousStorageIfAvailable { utf8 in
            var hash: UInt32 = 0x811C_9DC5
            var seen: UInt8 = 0
            for index in 0..<utf8.count {
                let byte = unsafe utf8[index]
                hash = (hash ^ UInt32(byte)) &* 0x0100_0193
                seen |= byte
            }
            return seen < 0x80 ? max(hash, 1) : 0
        }
        return fingerprint ?? 0
    }

    /// Compares the fingerprints first, which usually avoids comparing the names.
    ///
    /// Events compare their keys very often.
    public static func == (left: ParameterKey, right: ParameterKey) -> Bool {
        let differs = left.fingerprint != right.fingerprint && left.fingerprint != 0 && right.fingerprint != 0
        return !differs && left.name == right.name
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}

extension ParameterKey: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

extension ParameterKey: CustomStringConvertible {
    public var description: String { name }
}
