import EventTracking

/// An encoder for the strings and integers of JSON (RFC 8259 §6 and §7).
enum JSONText {
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    /// The maximum number of input bytes written at once.
    private static let piece = 512
    /// The maximum number of bytes for one input byte: a nested control character.
    private static let expansion = 7
    /// The number of bytes that may be written beyond the end, because eight bytes are copied at once.
    private static let slack = 8

    /// The maximum number of bytes needed by ``write(_:nested:at:)`` for `count` input bytes.
    static func room(for count: Int) -> Int { count * expansion + slack }

    /// Appends the content of a JSON string.
    ///
    /// With `nested` it is escaped twice, for JSON within a JSON string.
    static func append(_ utf8: UnsafeBufferPointer<UInt8>, nested: Bool, to output: inout ByteBuffer) {
        var start = 0
        while start < utf8.count {
            let end = min(start + piece, utf8.count)
            output.write(upTo: room(for: end - start)) {
                write(UnsafeBufferPointer(rebasing: utf8[start..<end]), nested: nested, at: &$0)
            }
            start = end
        }
    }

    /// Writes the content of a JSON string to memory with enough ``room(for:)``.
    ///
    /// It checks and copies eight bytes at once while none of them needs an escape.
    static func write(_ utf8: UnsafeBufferPointer<UInt8>, nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
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
                write(base[index], nested: nested, at: &end)
                index += 1
            }
        }
        if index < utf8.count, utf8.count >= 8 {
            // Check and copy the last eight bytes again. Some of them are written already, and usually none needs an
            // escape.
            let word = source.loadUnaligned(fromByteOffset: utf8.count - 8, as: UInt64.self)
            if escapes(in: UInt64(littleEndian: word)) == 0 {
                end += utf8.count - index
                return UnsafeMutableRawPointer(end - 8).storeBytes(of: word, as: UInt64.self)
            }
        }
        while index < utf8.count {
            write(base[index], nested: nested, at: &end)
            index += 1
        }
    }

    /// Sets the highest bit of bytes that must be escaped: control characters, quotation marks and backslashes.
    ///
    /// The lowest set bit is always correct and marks the first such byte. A higher bit may be wrong.
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

    /// Writes an integer to memory with room for 20 bytes.
    static func write(_ value: Int64, at end: inout UnsafeMutablePointer<UInt8>) {
        if value < 0 { end.write(UInt8(ascii: "-")) }
        write(value.magnitude, at: &end)
    }

    /// Writes an unsigned integer to memory with room for 20 bytes.
    static func write(_ value: UInt64, at end: inout UnsafeMutablePointer<UInt8>) {
        let start = end
        var rest = value
        repeat {
            end.write(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        // The digits are in reverse order.
        var (low, high) = (start, end - 1)
        while low < high {
            swap(&low.pointee, &high.pointee)
            low += 1
            high -= 1
        }
    }

    /// Writes one byte of a string, escaped if necessary.
    @inline(__always)
    private static func write(_ byte: UInt8, nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
        guard byte < 0x20 || byte == quote || byte == backslash else { return end.write(byte) }
        writeEscape(of: byte, nested: nested, at: &end)
    }

    private static func writeEscape(of byte: UInt8, nested: Bool, at end: inout UnsafeMutablePointer<UInt8>) {
        end.write(backslash)
        if nested { end.write(backslash) }
        switch byte {
        case quote, backslash:
            if nested { end.write(backslash) }
            end.write(byte)
        case 0x08: end.write(UInt8(ascii: "b"))
        case 0x09: end.write(UInt8(ascii: "t"))
        case 0x0A: end.write(UInt8(ascii: "n"))
        case 0x0C: end.write(UInt8(ascii: "f"))
        case 0x0D: end.write(UInt8(ascii: "r"))
        default:
            end.write(byte < 0x10 ? "u000" : "u001")
            let digit = byte & 0xF
            end.write(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
