import Locks

/// A value that many threads read all the time and one thread at a time replaces.
///
/// One mutex would do, but on two cores 16 threads that meet at it queue in the kernel and pay tens of microseconds a
/// read. Here each reader starts at another of several copies and passes by those that are taken.
struct SharedReference<Value: Sendable>: ~Copyable, Sendable {
    private final class Copy: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) {
            self.value = Mutex(value)
        }
    }

    private let copies: [Copy]
    private let turn = Atomic<Int>(0)

    /// Creates a reference to a value.
    init(_ value: Value) {
        copies = (0..<16).map { _ in Copy(value) }
    }

    /// Answers a value that was current at some moment of the call.
    func load() -> Value {
        let start = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        for offset in copies.indices {
            if let value = copy(start &+ offset).value.withLockIfAvailable({ $0 }) { return value }
        }
        return copy(start).value.withLock { $0 }
    }

    /// Replaces the value; one call at a time.
    ///
    /// Every read that starts after the return answers the new value.
    func store(_ value: Value) {
        for copy in copies {
            copy.value.withLock { $0 = value }
        }
    }

    private func copy(_ turn: Int) -> Copy {
        copies[Int(UInt(bitPattern: turn) % UInt(copies.count))]
    }
}
