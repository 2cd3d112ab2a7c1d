/// Makes version 7 UUIDs (RFC 9562) in strictly increasing order, without a system call.
///
/// An id is 48 bits of milliseconds, a 12-bit counter within the millisecond, and 62 random bits. A wall clock that
/// steps back does not take the ids with it. The random bits come from xoshiro256++, seeded with 256 bits of the
/// system's own generator: an id has to be unique, not secret.
package struct EventIDGenerator: Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)
    private var milliseconds: Int64 = 0
    private var counter: UInt64 = 0

    /// Creates a generator with a seed from the given source of randomness.
    package init(seed generator: inout some RandomNumberGenerator) {
        state = (generator.next(), generator.next(), generator.next(), generator.next() | 1)
    }

    /// Makes the next id, for an event of the given time.
    package mutating func next(at time: Timestamp) -> EventID {
        let now = max(0, time.milliseconds)
        if now > milliseconds {
            milliseconds = now
            counter = 0
        } else if counter < 0xFFF {
            counter += 1
        } else {
            milliseconds += 1
            counter = 0
        }
        return EventID(
            high: UInt64(milliseconds) << 16 | 0x7000 | counter,
            low: 0x8000_0000_0000_0000 | random() >> 2
        )
    }

    private mutating func random() -> UInt64 {
        let sum = state.0 &+ state.3
        let result = (sum << 23 | sum >> 41) &+ state.0
        let shifted = state.1 << 17
        state.2 ^= state.0
        state.3 ^= state.1
        state.1 ^= state.2
        state.0 ^= state.3
        state.2 ^= shifted
        state.3 = state.3 << 45 | state.3 >> 19
        return result
    }
}
