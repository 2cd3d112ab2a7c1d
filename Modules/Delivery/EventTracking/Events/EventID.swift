/// An event's id: a version 7 UUID (RFC 9562) that is created when the event is tracked.
///
/// Every retry sends the same id. A receiver can therefore count an event once, even if it arrives several times.
public struct EventID: Sendable, Hashable {
    /// The first eight bytes, big-endian: 48 bits of milliseconds, the version, and a 12-bit counter.
    public let high: UInt64
    /// The last eight bytes, big-endian: the variant and 62 bits of a hash, which look random.
    public let low: UInt64

    /// Creates an id from its two halves.
    ///
    /// - Parameters:
    ///   - high: The first eight bytes.
    ///   - low: The last eight bytes.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an id from its text of 36 characters, in upper or lower case.
    ///
    /// Returns `nil` for any other text.
    ///
    /// - Parameter text: The text.
    public init?(_ text: some StringProtocol) {
        let groups = text.split(separator: "-" as Character, omittingEmptySubsequences: false)
        let digits: String = groups.joined(separator: "")
        guard groups.map({ $0.utf8.count }) == [8, 4, 4, 4, 12], !digits.contains("+"),
            let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Appends the text of 36 characters to UTF-8 bytes.
    ///
    /// - Parameter bytes: The bytes.
    public func write(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { text in
            guard var end = text.baseAddress else { return }
            write(at: &end)
            bytes.append(contentsOf: text)
        }
    }

    /// Writes the text to memory with a capacity of at least 36 bytes.
    package func write(at end: inout UnsafeMutablePointer<UInt8>) {
        EventID.write(high, from: 60, count: 8, at: &end)
        end.write(UInt8(ascii: "-"))
        EventID.write(high, from: 28, count: 4, at: &end)
        end.write(UInt8(ascii: "-"))
        EventID.write(high, from: 12, count: 4, at: &end)
        end.write(UInt8(ascii: "-"))
        EventID.write(low, from: 60, count: 4, at: &end)
        end.write(UInt8(ascii: "-"))
        EventID.write(low, from: 44, count: 12, at: &end)
    }

    /// Writes hexadecimal digits.
    ///
    /// The first digit is for the four bits from `shift` on.
    @inline(__always)
    private static func write(
        _ half: UInt64,
        from shift: Int,
        count: Int,
        at end: inout UnsafeMutablePointer<UInt8>
    ) {
        for place in 0..<count {
            let digit = UInt8(truncatingIfNeeded: half &>> UInt64(shift &- place &* 4)) & 0xF
            end.write(digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") &- 10))
        }
    }
}

extension EventID: CustomStringConvertible {
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension EventID: Comparable {
    /// Orders ids by their time, then by their counter.
    public static func < (left: EventID, right: EventID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension UnsafeMutablePointer<UInt8> {
    /// Writes a byte and advances the pointer.
    @inlinable
    @inline(__always)
    package mutating func write(_ byte: UInt8) {
        pointee = byte
        self += 1
    }

    /// Writes a string literal and advances the pointer.
    @inlinable
    @inline(__always)
    package mutating func write(_ text: StaticString) {
        text.withUTF8Buffer { write($0) }
    }

    /// Writes bytes and advances the pointer.
    @inlinable
    @inline(__always)
    package mutating func write(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        update(from: source, count: bytes.count)
        self += bytes.count
    }
}
