/// What a version 7 UUID tells of when an event was tracked: its place in the order of all events of its sender.
struct EventStamp: Sendable, Hashable, Comparable {
    /// The longest time between two deliveries of one call of `track`, in milliseconds.
    ///
    /// A service's work takes microseconds. The rest is for a busy machine, which interrupts the call.
    static let reach: UInt64 = 20

    /// Milliseconds, and a counter within them.
    let ticks: UInt64

    /// Milliseconds since 1970.
    var milliseconds: UInt64 { ticks >> 12 }

    /// The place among the events of its millisecond.
    var counter: UInt64 { ticks & 0xFFF }

    /// Reads the stamp of an id; `nil` for another kind of id.
    init?(id: String) {
        let digits = id.utf8.filter { $0 != UInt8(ascii: "-") }
        guard id.utf8.count == 36, digits.count == 32, digits[12] == UInt8(ascii: "7"),
            let high = UInt64(String(decoding: digits[..<16], as: UTF8.self), radix: 16)
        else { return nil }
        ticks = (high >> 16) << 12 | high & 0xFFF
    }

    /// Creates a stamp.
    init(milliseconds: UInt64, counter: UInt64 = 0) {
        ticks = milliseconds << 12 | counter
    }

    static func < (left: EventStamp, right: EventStamp) -> Bool { left.ticks < right.ticks }

    /// Whether another stamp is close enough for the same call of `track`.
    func isNear(_ other: EventStamp) -> Bool {
        max(milliseconds, other.milliseconds) - min(milliseconds, other.milliseconds) <= EventStamp.reach
    }
}
