/// What a version 7 UUID tells of when an event was tracked: its place in the order of all events of its sender.
struct EventStamp: Sendable, Hashable, Comparable {
    /// How far two calls of one `track` may lie apart; between them is no more than the work of a service.
    static let reach: UInt64 = 5

    /// Milliseconds, and a counter within them.
    let ticks: UInt64

    /// Milliseconds since 1970.
    var milliseconds: UInt64 { ticks >> 12 }

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
