/// What a vendor demands of a name: of an event's, or of a parameter's key.
///
/// Lengths are counted in UTF-16 units, the strictest reading of "characters" that a vendor's platform has.
public struct NameRule: Sendable, Hashable {
    /// The characters that a name may have.
    public enum Alphabet: Sendable, Hashable {
        /// An ASCII letter, then ASCII letters, digits and underscores.
        case identifier
        /// Any characters but control characters.
        case text
    }

    /// How a name breaks the rule; a refusal or repair is counted as `name_…` or `key_…` with this word.
    package enum Fault: String, Sendable {
        /// The name is empty.
        case empty
        /// The name is longer than the maximum.
        case tooLong = "too_long"
        /// The name has characters outside the alphabet.
        case invalid
        /// The vendor keeps the name or its prefix for itself.
        case reserved
    }

    /// The most UTF-16 units.
    public var maximumLength: Int
    /// The characters that a name may have.
    public var alphabet: Alphabet
    /// The names that the vendor keeps for itself.
    public var reserved: Set<String>
    /// The prefixes that the vendor keeps for itself.
    public var reservedPrefixes: [String]

    /// Creates a rule.
    public init(
        maximumLength: Int,
        alphabet: Alphabet,
        reserved: Set<String> = [],
        reservedPrefixes: [String] = []
    ) {
        self.maximumLength = maximumLength
        self.alphabet = alphabet
        self.reserved = reserved
        self.reservedPrefixes = reservedPrefixes
    }

    /// The first fault of a name, in the order empty, too long, invalid, reserved.
    ///
    /// The key of a nested object may be a reserved name, but not have a reserved prefix.
    package func fault(in name: String, isNested: Bool = false) -> Fault? {
        if name.isEmpty { return .empty }
        if name.utf8.count > maximumLength, name.utf16.count > maximumLength { return .tooLong }
        if !isInAlphabet(name) { return .invalid }
        if !isNested, reserved.contains(name) { return .reserved }
        if reservedPrefixes.contains(where: name.hasPrefix) { return .reserved }
        return nil
    }

    private func isInAlphabet(_ name: String) -> Bool {
        switch alphabet {
        case .identifier:
            name.utf8.first.map(NameRule.isLetter) == true
                && name.utf8.allSatisfy { NameRule.isLetter($0) || NameRule.isDigitOrUnderscore($0) }
        case .text:
            name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }

    private static func isDigitOrUnderscore(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
}
