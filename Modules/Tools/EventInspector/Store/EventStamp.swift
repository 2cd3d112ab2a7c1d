/// The time of tracking in a version 7 UUID, which also orders all events of a sender.
struct EventStamp: Sendable, Hashable, Comparable {
    /// The maximum time between two deliveries of one call of `track`, in milliseconds.
    ///
    /// The work of a service takes microseconds. The rest allows for interruptions on a busy machine.
    static let reach: UInt64 = 20

    /// The milliseconds since 1970, combined with a counter within the millisecond.
    let ticks: UInt64

    /// Milliseconds since 1970.
    var milliseconds: UInt64 { ticks >> 12 }

    /// The position among the events of the same millisecond.
    var counter: UInt64 { ticks & 0xFFF }

    /// Creates a stamp from an id, or returns `nil` if it is not a version 7 UUID.
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

    /// Returns whether another stamp is close enough to belong to the same call of `track`.
    func isNear(_ other: EventStamp) -> Bool {
        max(milliseconds, other.milliseconds) - min(milliseconds, other.milliseconds) <= EventStamp.reach
    }
}
