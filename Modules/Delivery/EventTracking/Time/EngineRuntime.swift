package import Dispatch

/// The executors and the randomness of the engine: the system's in an app, or a seeded simulation's.
///
/// All sources of nondeterminism in the engine are in this type, ``DeliveryClock`` and `Transport`. No other part of
/// the engine accesses them directly.
package struct EngineRuntime: Sendable {
    /// Returns the executor for a store.
    package var executor: @Sendable () -> any SerialExecutor
    /// The executor for all other tasks, or `nil` for Swift's global pool.
    ///
    /// It is a `TaskExecutor`, a type that Apple's platforms have only since iOS 18.
    package var tasks: (any Executor)?
    /// Returns the next random number.
    package var random: @Sendable () -> UInt64
    /// Returns the shard for the current caller, or `nil` to select it by thread.
    package var shard: (@Sendable () -> Int)?

    /// Receives the closure that releases the lock of a store's directory, as the end of its process would.
    package var holdsLock: (@Sendable (_ release: @escaping @Sendable () -> Void) -> Void)?

    /// Creates a runtime.
    ///
    /// - Parameters:
    ///   - executor: Returns the executor for a store.
    ///   - random: Returns the next random number.
    package init(
        executor: @escaping @Sendable () -> any SerialExecutor,
        random: @escaping @Sendable () -> UInt64
    ) {
        (self.executor, self.random) = (executor, random)
    }

    /// The runtime of the system.
    package static let system = EngineRuntime(
        executor: { SerialQueueExecutor() },
        random: {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    )

    /// A generator that returns the runtime's random numbers.
    package var generator: Generator { Generator(source: random) }

    /// Returns a new installation id: 128 random bits as hexadecimal digits.
    package func makeInstallationID() -> String { random().hexadecimal + random().hexadecimal }

    /// Starts a task on the runtime's executor.
    ///
    /// - Parameter body: The work of the task.
    /// - Returns: The task.
    @discardableResult
    package func task<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *), let tasks = tasks as? any TaskExecutor
        else { return Task { await body() } }
        return Task(executorPreference: tasks) { await body() }
    }

    /// A generator that returns the runtime's random numbers.
    package struct Generator: RandomNumberGenerator {
        let source: @Sendable () -> UInt64

        package mutating func next() -> UInt64 { source() }
    }
}

/// A serial queue for a store.
///
/// Its file I/O therefore blocks no thread of Swift's shared pool.
package final class SerialQueueExecutor: SerialExecutor {
    /// The quality of service of all work of the store.
    package static let quality = DispatchQoS.utility

    private let queue = DispatchQueue(label: "EventDelivery.store", qos: SerialQueueExecutor.quality)

    // The variants with `ExecutorJob`, and the default implementation of this one, need iOS 17.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func enqueue(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
