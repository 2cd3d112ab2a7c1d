package import EventDeliveryTesting
import Locks

/// A stream of random numbers that parts of a simulation share; each subject has one of its own, so that another draw
/// in one does not shift those of the others.
package final class Chance: Sendable {
    private let random: Mutex<SeededGenerator>

    /// Creates a stream.
    package init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed))
    }

    /// The next number.
    package func next() -> UInt64 { random.withLock { $0.next() } }

    /// A number from 0 to a bound, which is excluded.
    package func below(_ bound: Int) -> Int { random.withLock { $0.below(bound) } }

    /// Whether something happens that happens so often.
    package func happens(_ percent: Int) -> Bool { random.withLock { $0.happens(percent) } }
}

extension SeededGenerator {
    /// A number from 0 to a bound, which is excluded; the bias is beneath notice.
    package mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: (next() >> 33) % UInt64(max(1, bound))) }

    /// Whether something happens that happens so often.
    package mutating func happens(_ percent: Int) -> Bool { below(100) < percent }

    /// One of some values; the fallback where there are none.
    package mutating func pick<Value>(_ values: [Value], or fallback: Value) -> Value {
        values.isEmpty ? fallback : values[below(values.count)]
    }
}
