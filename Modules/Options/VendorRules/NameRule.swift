public import CoreTracker

/// A vendor's rule for an event's name or a parameter's key.
///
/// Lengths are counted in UTF-16 units, the strictest meaning of "characters" on the vendors' platforms. A vendor that
/// cuts names by their size also has a maximum in bytes.
public struct NameRule: Sendable, Equatable {
    /// The characters allowed in a name.
    public enum Alphabet: Sendable, Equatable {
        /// ASCII letters, digits and underscores, with a letter first.
        case asciiLettersDigitsUnderscores
        /// All characters except ASCII control characters.
        case anyExceptControlCharacters
    }

    /// A violation of the rule.
    ///
    /// Dropped and adjusted events are counted as `name_` or `key_` with its raw value.
    package enum Fault: String, Sendable {
        /// The name is empty.
        case empty
        /// The name is longer than the maximum.
        case tooLong = "too_long"
        /// The name has characters outside the alphabet.
        case invalid
        /// The vendor reserves the name or its prefix.
        case reserved
    }

    /// The maximum length in UTF-16 units.
    public var maximumLength: Int
    /// The maximum size in bytes of UTF-8.
    public var maximumBytes: Int
    /// The characters allowed in a name.
    public var alphabet: Alphabet
    /// The names reserved by the vendor.
    public var reserved: Set<String> { didSet { initials = NameRule.initials(reserved, reservedPrefixes) } }
    /// The prefixes reserved by the vendor.
    public var reservedPrefixes: [String] { didSet { initials = NameRule.initials(reserved, reservedPrefixes) } }
    /// The ASCII characters that the key of a nested object must not have.
    package var excludedInNestedKeys: Set<UInt8> = []
    /// The first bytes of reserved names and prefixes.
    ///
    /// Most names start with another byte and need no lookup.
    private var initials: ASCIISet

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - maximumLength: The maximum length in UTF-16 units.
    ///   - maximumBytes: The maximum size in bytes of UTF-8.
    ///   - alphabet: The characters allowed in a name.
    ///   - reserved: The names reserved by the vendor.
    ///   - reservedPrefixes: The prefixes reserved by the vendor.
    public init(
        maximumLength: Int,
        maximumBytes: Int = .max,
        alphabet: Alphabet,
        reserved: Set<String> = [],
        reservedPrefixes: [String] = []
    ) {
        self.maximumLength = maximumLength
        self.maximumBytes = maximumBytes
        self.alphabet = alphabet
        self.reserved = reserved
        self.reservedPrefixes = reservedPrefixes
        initials = NameRule.initials(reserved, reservedPrefixes)
    }

    /// Returns the first violation in the order empty, too long, invalid, reserved.
    ///
    /// - Parameters:
    ///   - name: The name or key.
    ///   - isNested: Whether it is the key of a nested object, which may be a reserved name, and has neither a
    ///     reserved prefix nor an excluded character.
    package func fault(in name: String, isNested: Bool = false) -> Fault? {
        var name = name
        let (initial, isInAlphabet) = name.withUTF8 { utf8 in
            unsafe (utf8.first, self.isInAlphabet(utf8))
        }
        guard let initial else { return .empty }
        if name.utf8.count > maximumLength, name.utf16.count > maximumLength { return .tooLong }
        if name.utf8.count > maximumBytes { return .tooLong }
        if !isInAlphabet { return .invalid }
        if isNested, name.utf8.contains(where: excludedInNestedKeys.contains) { return .invalid }
        guard initial >= 0x80 || initials.contains(initial) else { return nil }
        if !isNested, reserved.contains(name) { return .reserved }
        // A receiver compares bytes. A combining mark after a prefix would hide it from `hasPrefix`.
        if reservedPrefixes.contains(where: { name.utf8.starts(with: $0.utf8) }) { return .reserved }
        return nil
    }

    /// Bytes, because this runs for every key of every event.
    private func isInAlphabet(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        switch alphabet {
        case .asciiLettersDigitsUnderscores:
            guard let first = unsafe utf8.first, NameRule.isLetter(first) else { return false }
            return unsafe utf8.allSatisfy(NameRule.isWordCharacter)
        case .anyExceptControlCharacters:
            return unsafe utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    private static func isWordCharacter(_ byte: UInt8) -> Bool {
        isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
    }

    /// Returns the possible first bytes.
    ///
    /// All bytes are possible if a name is not ASCII, because equal strings can have different bytes.
    private static func initials(_ names: Set<String>, _ prefixes: [String]) -> ASCIISet {
        let words = prefixes + names
        let isASCII = words.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        return ASCIISet(isASCII ? words.compactMap(\.utf8.first) : Array(0x00..<0x80))
    }
}

/// A set of ASCII characters in two integers.
private struct ASCIISet: Sendable, Equatable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates a set of the given bytes, without those beyond ASCII.
    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        byte < 128 && (byte < 64 ? low : high) & 1 << UInt64(byte & 63) != 0
    }
}

/// A vendor's rule for a list of flat objects, such as the `items` of a purchase.
///
/// An element is left out with the rule `item_invalid` if it is no object or has none of ``identifyingKeys``.
public struct ListRule: Sendable, Equatable {
    /// The maximum number of elements.
    ///
    /// Further elements are left out.
    public var maximumElements: Int
    /// The keys defined by the vendor.
    public var knownKeys: Set<String>
    /// The maximum number of other keys in one element.
    ///
    /// Further keys are left out.
    public var maximumOtherKeys: Int
    /// The keys of which each element needs at least one, not empty.
    ///
    /// No key is needed if this is empty.
    public var identifyingKeys: [ParameterKey]

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - maximumElements: The maximum number of elements.
    ///   - knownKeys: The keys defined by the vendor.
    ///   - maximumOtherKeys: The maximum number of other keys in one element.
    ///   - identifyingKeys: The keys of which each element needs at least one.
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
