package import EventDeliveryTesting
import Locks

/// A shared stream of random numbers.
///
/// Each subject of a simulation has a separate stream, so an additional draw in one does not change the others.
package final class Chance: Sendable {
    private let random: Mutex<SeededGenerator>

    /// Creates a stream.
    package init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed))
    }

    /// The next number.
    package func next() -> UInt64 { random.withLock { $0.next() } }

    /// Returns a random number from 0 up to, but not including, a limit.
    ///
    /// The bias is negligible.
    ///
    /// - Parameter bound: The limit. Values below 1 count as 1.
    /// - Returns: The number.
    package func below(_ bound: Int) -> Int { random.withLock { $0.below(bound) } }

    /// Returns `true` with the given probability.
    ///
    /// - Parameter percent: The probability in percent.
    /// - Returns: Whether the event happens.
    package func happens(_ percent: Int) -> Bool { random.withLock { $0.happens(percent) } }
}

extension SeededGenerator {
    /// Returns a random number from 0 up to, but not including, a limit.
    ///
    /// The bias is negligible.
    ///
    /// - Parameter bound: The limit. Values below 1 count as 1.
    /// - Returns: The number.
    package mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: (next() >> 33) % UInt64(max(1, bound))) }

    /// Returns `true` with the given probability.
    ///
    /// - Parameter percent: The probability in percent.
    /// - Returns: Whether the event happens.
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// Returns a random value, or the fallback if there are none.
    package mutating func pick<Value>(_ values: [Value], or fallback: Value) -> Value {
        values.isEmpty ? fallback : values[below(values.count)]
    }
}
