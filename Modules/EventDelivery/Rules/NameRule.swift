public import CoreTracker

/// What a vendor demands of a name: of an event's, or of a parameter's key.
///
/// Lengths are counted in UTF-16 units, the strictest reading of "characters" that a vendor's platform has.
public struct NameRule: Sendable, Hashable {
    /// The characters that a name may have.
    public enum Alphabet: Sendable, Hashable {
        /// ASCII letters, digits and underscores, with a letter first.
        case asciiLettersDigitsUnderscores
        /// All characters except ASCII control characters.
        case anyExceptControlCharacters
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
    public var reserved: Set<String> { didSet { initials = NameRule.initials(reserved, reservedPrefixes) } }
    /// The prefixes that the vendor keeps for itself.
    public var reservedPrefixes: [String] { didSet { initials = NameRule.initials(reserved, reservedPrefixes) } }
    /// The first bytes of what is reserved; most names start with another, and need no look at the sets.
    private var initials: ASCIISet

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
        initials = NameRule.initials(reserved, reservedPrefixes)
    }

    /// The first fault of a name, in the order empty, too long, invalid, reserved.
    ///
    /// The key of a nested object may be a reserved name, but not have a reserved prefix.
    package func fault(in name: String, isNested: Bool = false) -> Fault? {
        var name = name
        let (initial, isInAlphabet) = name.withUTF8 { utf8 in (utf8.first, self.isInAlphabet(utf8)) }
        guard let initial else { return .empty }
        if name.utf8.count > maximumLength, name.utf16.count > maximumLength { return .tooLong }
        if !isInAlphabet { return .invalid }
        guard initial >= 0x80 || initials.contains(initial) else { return nil }
        if !isNested, reserved.contains(name) { return .reserved }
        if reservedPrefixes.contains(where: name.hasPrefix) { return .reserved }
        return nil
    }

    /// Plain loops: every key of every event comes by.
    private func isInAlphabet(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        switch alphabet {
        case .asciiLettersDigitsUnderscores:
            guard let first = utf8.first, NameRule.isLetter(first) else { return false }
            for byte in utf8 where !NameRule.isLetter(byte) && !NameRule.isDigitOrUnderscore(byte) { return false }
        case .anyExceptControlCharacters:
            for byte in utf8 where byte < 0x20 || byte == 0x7F { return false }
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isDigitOrUnderscore(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
    }

    /// Of a word beyond ASCII no first byte is sure: it has several spellings that are equal.
    private static func initials(_ names: Set<String>, _ prefixes: [String]) -> ASCIISet {
        let words = prefixes + names
        let isASCII = words.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        return ASCIISet(isASCII ? words.compactMap(\.utf8.first) : Array(0x00..<0x80))
    }
}

/// A set of ASCII characters, as two words of bits.
private struct ASCIISet: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates the set of those bytes that are ASCII.
    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) & 1 << UInt64(byte & 63) != 0
    }
}

/// What a vendor demands of a list of flat objects, such as the `items` of a purchase.
///
/// An element that is no object, or lacks what identifies it, is left out: `item_invalid`.
public struct ListRule: Sendable, Hashable {
    /// The most elements; those beyond it are left out.
    public var maximumElements: Int
    /// The keys that the vendor defines itself.
    public var knownKeys: Set<String>
    /// The most keys of one element that the vendor does not define; those beyond it are left out.
    public var maximumOtherKeys: Int
    /// The keys of which each element needs one, and not as an empty text; none for no such demand.
    public var identifyingKeys: [ParameterKey]

    /// Creates a rule.
    public init(
        maximumElements: Int,
        knownKeys: Set<String>,
        maximumOtherKeys: Int,
        identifyingKeys: [ParameterKey] = []
    ) {
        self.maximumElements = maximumElements
        self.knownKeys = knownKeys
        self.maximumOtherKeys = maximumOtherKeys
        self.identifyingKeys = identifyingKeys
    }
}
