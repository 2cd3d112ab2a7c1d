/// The bytes of JSON's scalars (RFC 8259 §6 and §7).
enum JSONText {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    /// The most bytes of a text that are written in one piece.
    private static let piece = 512
    /// The most bytes that a byte becomes: a control character, nested.
    private static let expansion = 7
    /// What a piece may write beyond its end, since eight bytes are copied together.
    private static let slack = 8

    /// The most bytes that ``put(_:nested:at:)`` needs for a text of so many.
    static func room(for count: Int) -> Int { count * expansion + slack }

    /// Appends a text as the inside of a JSON string; `nested` escapes it once more, for JSON within a JSON string.
    static func append(_ utf8: UnsafeBufferPointer<UInt8>, nested: Bool, to output: inout ByteBuffer) {
        var start = 0
        while start < utf8.count {
            let end = min(start + piece, utf8.count)
            output.write(upTo: room(for: end - start)) {
                put(UnsafeBufferPointer(rebasing: utf8[start..<end]), nested: nested, at: &$0)
            }
            start = end
        }
    }

    /// Writes the inside of a JSON string to memory that has ``room(for:)`` it.
    ///
    /// Eight bytes are looked at and copied together as long as none of them has to be escaped.
    static func put(_ utf8: UnsafeBufferPointer<UInt8>, nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
        guard let base = utf8.baseAddress else { return }
        let source = UnsafeRawPointer(base)
        var index = 0
        while index + 8 <= utf8.count {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            UnsafeMutableRawPointer(end).storeBytes(of: word, as: UInt64.self)
            let found = escapes(in: UInt64(littleEndian: word))
            let sound = found == 0 ? 8 : found.trailingZeroBitCount / 8
            end += sound
            index += sound
            if sound < 8 {
                put(base[index], nested: nested, at: &end)
                index += 1
            }
        }
        if index < utf8.count, utf8.count >= 8 {
            // The last eight bytes once more, of which the first are written already; mostly nothing is found in them.
            let word = source.loadUnaligned(fromByteOffset: utf8.count - 8, as: UInt64.self)
            if escapes(in: UInt64(littleEndian: word)) == 0 {
                end += utf8.count - index
                return UnsafeMutableRawPointer(end - 8).storeBytes(of: word, as: UInt64.self)
            }
        }
        while index < utf8.count {
            put(base[index], nested: nested, at: &end)
            index += 1
        }
    }

    /// Marks bytes that must be escaped by their highest bit: control characters, quotation marks, backslashes.
    ///
    /// The lowest mark is right, which is that of the first byte; one above another may be false.
    @inline(__always)
    private static func escapes(in word: UInt64) -> UInt64 {
        let quotes = word ^ 0x2222_2222_2222_2222
        let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let found =
            (word &- 0x2020_2020_2020_2020) & ~word
            | (quotes &- 0x0101_0101_0101_0101) & ~quotes
            | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
        return found & 0x8080_8080_8080_8080
    }

    /// Appends a whole number, exact over the whole range.
    static func append(_ value: Int64, to output: inout ByteBuffer) {
        output.write(upTo: 20) { put(value, at: &$0) }
    }

    /// Appends a whole number that is not negative.
    static func append(_ value: UInt64, to output: inout ByteBuffer) {
        output.write(upTo: 20) { put(value, at: &$0) }
    }

    /// Writes a whole number to memory that has room for 20 bytes.
    static func put(_ value: Int64, at end: inout UnsafeMutablePointer<UInt8>) {
        if value < 0 { end.put(UInt8(ascii: "-")) }
        put(value.magnitude, at: &end)
    }

    /// Writes a whole number that is not negative to memory that has room for 20 bytes.
    static func put(_ value: UInt64, at end: inout UnsafeMutablePointer<UInt8>) {
        let start = end
        var rest = value
        repeat {
            end.put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // The last digit has come first.
        var (low, high) = (start, end - 1)
        while low < high {
            swap(&low.pointee, &high.pointee)
            low += 1
            high -= 1
        }
    }

    /// Writes a byte of a text, escaped where it must be.
    @inline(__always)
    private static func put(_ byte: UInt8, nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
        guard byte < 0x20 || byte == quote || byte == backslash else { return end.put(byte) }
        putEscape(of: byte, nested: nested, at: &end)
    }

    private static func putEscape(of byte: UInt8, nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
        end.put(backslash)
        if nested { end.put(backslash) }
        switch byte {
        case quote, backslash:
            if nested { end.put(backslash) }
            end.put(byte)
        case 0x08: end.put(UInt8(ascii: "b"))
        case 0x09: end.put(UInt8(ascii: "t"))
        case 0x0A: end.put(UInt8(ascii: "n"))
        case 0x0C: end.put(UInt8(ascii: "f"))
        case 0x0D: end.put(UInt8(ascii: "r"))
        default:
            end.put(byte < 0x10 ? "u000" : "u001")
            let digit = byte & 0xF
            end.put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
