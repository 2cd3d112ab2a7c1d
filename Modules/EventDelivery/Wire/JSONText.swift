/// The bytes of JSON's scalars (RFC 8259 §6 and §7).
enum JSONText {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// Appends a text as the inside of a JSON string; `nested` escapes it once more, for JSON within a JSON string.
    static func append(_ utf8: UnsafeBufferPointer<UInt8>, nested: Bool, to bytes: inout [UInt8]) {
        var start = 0
        while true {
            let end = firstEscape(in: utf8, from: start)
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<end]))
            guard end < utf8.count else { return }
            appendEscape(of: utf8[end], nested: nested, to: &bytes)
            start = end + 1
        }
    }

    /// Appends a whole number, exact over the whole range.
    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(value.magnitude, to: &bytes)
    }

    /// Appends a whole number that is not negative.
    static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = value
            var start = digits.count
            repeat {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    /// Finds the next byte that must be escaped: a control character, a quotation mark or a backslash.
    ///
    /// Eight bytes are looked at together; which of the eight it is, is found one by one. The last bytes of a text go
    /// one by one too.
    private static func firstEscape(in utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        let raw = UnsafeRawBufferPointer(utf8)
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quotes = word ^ 0x2222_2222_2222_2222
            let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
            let found =
                (word &- 0x2020_2020_2020_2020) & ~word
                | (quotes &- 0x0101_0101_0101_0101) & ~quotes
                | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
            if found & 0x8080_8080_8080_8080 != 0 { break }
            index += 8
        }
        while index < utf8.count {
            let byte = utf8[index]
            if byte < 0x20 || byte == quote || byte == backslash { return index }
            index += 1
        }
        return index
    }

    private static func appendEscape(of byte: UInt8, nested: Bool, to bytes: inout [UInt8]) {
        bytes.append(backslash)
        if nested { bytes.append(backslash) }
        switch byte {
        case quote, backslash:
            if nested { bytes.append(backslash) }
            bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
            let digit = byte & 0xF
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
