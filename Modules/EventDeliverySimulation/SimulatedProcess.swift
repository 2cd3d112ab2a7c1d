/// A simulated process: each of its jobs that belongs to no actor runs when it is picked.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class SimulatedProcess: TaskExecutor {
    /// Its number among those of the simulation.
    package let number: Int
    private let scheduler: Scheduler

    init(number: Int, scheduler: Scheduler) {
        self.number = number
        self.scheduler = scheduler
    }

    package func enqueue(_ job: consuming ExecutorJob) { scheduler.enqueue(UnownedJob(job), in: self) }

    /// Makes the executor of an actor.
    package func makeQueue(isStore: Bool) -> SimulatedQueue { scheduler.makeQueue(in: self, isStore: isStore) }

    func enqueue(_ job: UnownedJob, on queue: SimulatedQueue) { scheduler.enqueue(job, on: queue) }
}

/// An actor's executor: its jobs run in the order in which they came, as on a dispatch queue, whenever it is picked.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package final class SimulatedQueue: SerialExecutor {
    let number: Int
    let process: SimulatedProcess

    /// Whether its jobs wait for the disk.
    let isStore: Bool

    init(number: Int, process: SimulatedProcess, isStore: Bool) {
        (self.number, self.process, self.isStore) = (number, process, isStore)
    }

    package func enqueue(_ job: consuming ExecutorJob) { process.enqueue(UnownedJob(job), on: self) }
}
