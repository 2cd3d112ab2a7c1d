package import Dispatch

/// Where the engine's parts run and where randomness comes from: the system's in an app, a seed's in a simulation.
///
/// Everything that could make two runs of the engine differ comes through it, through ``DeliveryClock`` and through
/// `Transport`; nothing else of the engine asks the system.
package struct EngineRuntime: Sendable {
    /// Makes the executor of a store.
    package var executor: @Sendable () -> any SerialExecutor
    /// Where everything else runs: a `TaskExecutor`, a type that Apple's platforms have only since iOS 18;
    /// `nil` for Swift's own pool.
    package var tasks: (any Executor)?
    /// Whether the next group is encoded on a thread of its own while one is committed.
    package var encodesAhead: Bool
    /// The next random number.
    package var random: @Sendable () -> UInt64
    /// The shard of whoever calls; `nil` for the one of the calling thread.
    package var shard: (@Sendable () -> Int)?

    /// Creates a runtime.
    package init(
        executor: @escaping @Sendable () -> any SerialExecutor,
        tasks: (any Executor)? = nil,
        encodesAhead: Bool = true,
        random: @escaping @Sendable () -> UInt64,
        shard: (@Sendable () -> Int)? = nil
    ) {
        self.executor = executor
        self.tasks = tasks
        self.encodesAhead = encodesAhead
        self.random = random
        self.shard = shard
    }

    /// The system's own.
    package static let system = EngineRuntime(
        executor: { SerialQueueExecutor() },
        random: {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    )

    /// The randomness as a generator.
    package var generator: Generator { Generator(source: random) }

    /// Starts a task where this runtime runs tasks.
    @discardableResult
    package func task<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *), let tasks = tasks as? any TaskExecutor
        else { return Task { await body() } }
        return Task(executorPreference: tasks) { await body() }
    }

    /// Hands out the runtime's random numbers.
    package struct Generator: RandomNumberGenerator {
        let source: @Sendable () -> UInt64

        package mutating func next() -> UInt64 { source() }
    }
}

/// Runs a store on a serial queue of its own, so that its file I/O never takes a thread from Swift's shared pool.
package final class SerialQueueExecutor: SerialExecutor {
    /// What all work of the store runs at.
    package static let quality = DispatchQoS.utility

    private let queue = DispatchQueue(label: "EventDelivery.store", qos: SerialQueueExecutor.quality)

    // The forms that take `ExecutorJob`, and the default of this one, need iOS 17.
    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    package func enqueue(_ job: UnownedJob) {
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
