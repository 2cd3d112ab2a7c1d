/// The wire name of one parameter.
///
/// An event declares its keys once, beside it, as static members, so that a misspelt name does not compile:
/// `extension ParameterKey { static let basketID: ParameterKey = "basket_id" }`.
public struct ParameterKey: Sendable, Hashable {
    /// The name as the service receives it.
    public let name: String
    /// A checksum of an ASCII name; 0 for any other name, whose equal spellings can have different bytes.
    @usableFromInline let fingerprint: UInt32

    /// Creates a key from its wire name; services check the name against their own rules.
    public init(_ name: String) {
        self.name = name
        fingerprint = ParameterKey.fingerprint(of: name)
    }

    /// Creates a key from the parts of another one.
    @inlinable
    init(name: String, fingerprint: UInt32) {
        (self.name, self.fingerprint) = (name, fingerprint)
    }

    /// FNV-1a, of which 0 is made 1.
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

    /// Mostly decided without looking at the names, because events compare their few keys all the time.
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
