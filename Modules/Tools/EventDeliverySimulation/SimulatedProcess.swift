import EventDelivery
import Locks

/// A simulated process.
///
/// Its jobs run when they are picked, except the jobs of its store.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class SimulatedProcess: TaskExecutor {
    /// The process's number in the simulation.
    package let number: Int
    private let scheduler: Scheduler
    /// The functions that release its locks of directories.
    private let locks = Mutex<[@Sendable () -> Void]>([])

    init(number: Int, scheduler: Scheduler) {
        self.number = number
        self.scheduler = scheduler
    }

    package func enqueue(_ job: consuming ExecutorJob) { scheduler.enqueue(UnownedJob(job), in: self) }

    /// Creates the executor of a store.
    package func makeQueue() -> SimulatedQueue { scheduler.makeQueue(in: self) }

    /// Returns the runtime of an engine in the process.
    func runtime(_ chance: Chance, shard: @escaping @Sendable () -> Int) -> EngineRuntime {
        var runtime = EngineRuntime(executor: { self.makeQueue() }, random: { chance.next() })
        runtime.tasks = self
        runtime.shard = shard
        runtime.holdsLock = { release in self.locks.withLock { $0.append(release) } }
        return runtime
    }

    /// Releases all locks, as the system does when a process ends.
    func releaseLocks() {
        for release in locks.withLock({ $0 }) { release() }
    }

    func enqueue(_ job: UnownedJob, on queue: SimulatedQueue) { scheduler.enqueue(job, on: queue) }
}

/// A store's executor.
///
/// Its jobs run in order, as on a dispatch queue, when they are picked.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class SimulatedQueue: SerialExecutor {
    let number: Int
    let process: SimulatedProcess

    init(number: Int, process: SimulatedProcess) {
        (self.number, self.process) = (number, process)
    }

    package func enqueue(_ job: consuming ExecutorJob) { process.enqueue(UnownedJob(job), on: self) }
}
