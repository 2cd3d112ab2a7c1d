import Locks

/// A generator of version 7 UUIDs (RFC 9562) in strictly increasing order.
///
/// It can be used from any thread, without a lock or a system call. An id consists of 48 bits of milliseconds, a 12-bit
/// counter within the millisecond, and 62 bits of a hash of these and of 128 random bits. An id must be unique, but not
/// secret. If the wall clock is set back, the ids continue to increase.
package final class EventIDGenerator: Sendable {
    /// The largest time that ids follow, in the year 6429.
    ///
    /// Beyond it, the counter cannot overflow.
    private static let maximumMilliseconds: Int64 = 1 << 47

    private let keys: (first: UInt64, second: UInt64)
    /// The milliseconds and the counter of the last id.
    private let last = Atomic<UInt64>(0)

    /// Creates a generator.
    ///
    /// - Parameter generator: The source of the random bits.
    package init(seed generator: inout some RandomNumberGenerator) {
        keys = (generator.next(), generator.next())
    }

    /// Returns the next id.
    ///
    /// - Parameter time: The time of the event. An id never has an earlier time than the id before it.
    package func next(at time: Timestamp) -> EventID {
        let present = UInt64(min(max(0, time.milliseconds), EventIDGenerator.maximumMilliseconds)) << 12
        var before = last.load(ordering: .relaxed)
        while true {
            let stamp = max(present, before + 1)
            let (isNext, found) = last.weakCompareExchange(expected: before, desired: stamp, ordering: .relaxed)
            if isNext { return id(stamp) }
            before = found
        }
    }

    /// An id at or above all existing ids, and below all future ones.
    package var latest: EventID {
        EventID(high: EventIDGenerator.high(last.load(ordering: .relaxed)), low: .max)
    }

    private func id(_ stamp: UInt64) -> EventID {
        let bits = EventIDGenerator.mixed(EventIDGenerator.mixed(stamp ^ keys.first) &+ keys.second)
        return EventID(high: EventIDGenerator.high(stamp), low: 0x8000_0000_0000_0000 | bits >> 2)
    }

    private static func high(_ stamp: UInt64) -> UInt64 { (stamp >> 12) << 16 | 0x7000 | stamp & 0xFFF }

    /// Returns the value mixed by the finalizer of SplitMix64: each bit of the result depends on each bit of the value.
    ///
    /// - Parameter value: The value.
    static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}

extension String {
    /// A hash that is the same in each process: FNV-1a, whose bits the finalizer mixes.
    package var stableHash: UInt64 {
        EventIDGenerator.mixed(utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    }
}
