import Dispatch

/// Runs an actor on a serial queue of its own, so that its file I/O never takes a thread from Swift's shared pool.
final class SerialQueueExecutor: SerialExecutor {
    /// What all work of the store runs at.
    static let quality = DispatchQoS.utility

    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: SerialQueueExecutor.quality)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
