import AppTracking
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks

/// A thread that runs all tasks of an engine, and a virtual clock that moves only if none of them can run.
///
/// A job takes no virtual time, and a timer fires at exactly its time. Hours therefore pass in seconds, and each run
/// has the same order of events.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
final class VirtualThread: TaskExecutor, BackgroundTask {
    /// The clock of the engine.
    let clock = TestClock()
    private let jobs = Mutex<[@Sendable () -> Void]>([])
    private let random: Mutex<SeededGenerator>
    private let start: MonotonicInstant

    /// Creates a thread.
    ///
    /// - Parameter seed: The seed of the engine's random numbers.
    init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed))
        start = clock.monotonicTime()
    }

    /// The time since the thread was created.
    var now: Duration { start.duration(to: clock.monotonicTime()) }

    /// Returns a new engine on this thread.
    func makeEngine() -> DeliveryEngine {
        var runtime = EngineRuntime(
            executor: { StoreExecutor(self) },
            random: { self.random.withLock { $0.next() } }
        )
        runtime.tasks = self
        return DeliveryEngine(runtime: runtime, clock: clock)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    fileprivate func add(_ job: @escaping @Sendable () -> Void) { jobs.withLock { $0.append(job) } }

    /// Starts an app's work after the app has entered the background.
    func run(_ work: @escaping @Sendable () async -> Void) {
        Task(executorPreference: self) { await work() }
    }

    /// Runs jobs and lets time pass until an asynchronous call has ended.
    ///
    /// - Throws: The error of the call, or an error if the call waits for something other than time.
    func wait<Value: Sendable>(for call: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        Task(executorPreference: self) {
            do {
                let value = try await call()
                result.withLock { $0 = .success(value) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
        }
        runJobs()
        while true {
            if let result = result.withLock({ $0 }) { return try result.get() }
            guard let wait = clock.timeUntilNextWakeUp else { throw BenchmarkError("a call never ends") }
            clock.advance(by: wait)
            runJobs()
        }
    }

    /// Runs jobs and lets time pass until a time.
    func advance(to end: Duration) {
        runJobs()
        while let wait = clock.timeUntilNextWakeUp, now + wait <= end {
            clock.advance(by: wait)
            runJobs()
        }
        clock.advance(by: max(.zero, end - now))
        runJobs()
    }

    private func runJobs() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { job() }
    }
}

/// The executor of an engine's store, whose jobs run on a virtual thread.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
private final class StoreExecutor: SerialExecutor {
    private let thread: VirtualThread

    init(_ thread: VirtualThread) {
        self.thread = thread
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.add { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
