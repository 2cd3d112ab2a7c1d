/// Where the engine's parts run and where randomness comes from: the system's in an app, a seed's in a simulation.
///
/// Everything that could make two runs of the engine differ comes through it, through ``DeliveryClock`` and through
/// ``Transport``; nothing else of the engine asks the system.
package struct EngineRuntime: Sendable {
    /// Makes the executor of an actor; the label names it for a debugger.
    package var executor: @Sendable (_ label: String) -> any SerialExecutor
    /// Where tasks run that belong to no actor; `nil` for Swift's own pool.
    package var tasks: (any TaskExecutor)?
    /// Whether the next group is encoded on a thread of its own while one is committed.
    package var encodesAhead: Bool
    /// The next random number.
    package var random: @Sendable () -> UInt64
    /// The shard of whoever calls; `nil` for the one of the calling thread.
    package var shard: (@Sendable () -> Int)?

    /// Creates a runtime.
    package init(
        executor: @escaping @Sendable (_ label: String) -> any SerialExecutor,
        tasks: (any TaskExecutor)? = nil,
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
        executor: { SerialQueueExecutor(label: $0) },
        random: {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    )

    /// The randomness as a generator.
    var generator: Generator { Generator(source: random) }

    /// Starts a task where this runtime runs tasks.
    @discardableResult
    func task<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        if let tasks { Task(executorPreference: tasks) { await body() } } else { Task { await body() } }
    }

    /// Hands out the runtime's random numbers.
    struct Generator: RandomNumberGenerator {
        let source: @Sendable () -> UInt64

        mutating func next() -> UInt64 { source() }
    }
}
