import Dispatch
import EventTracking
import Foundation
import Locks

/// An executor of a store that measures its longest turn.
///
/// A turn is the time between two suspensions of the store. Nothing else of the engine's storage runs in that time.
final class TurnTimer: SerialExecutor {
    /// The longest turns in nanoseconds.
    struct Longest: Sendable {
        /// The elapsed time.
        var elapsed = 0.0
        /// The processor time, which does not include waiting for the disk.
        var processor = 0.0
    }

    private let queue = DispatchQueue(label: "TrackerBenchmark.store", qos: SerialQueueExecutor.quality)
    private let longest = Mutex(Longest())

    /// A runtime whose store runs on this executor.
    var runtime: EngineRuntime {
        EngineRuntime(executor: { self }, random: EngineRuntime.system.random)
    }

    /// Returns the longest turns since the last call.
    func take() -> Longest {
        longest.withLock { longest in
            defer { longest = Longest() }
            return longest
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    func enqueue(_ job: UnownedJob) {
        queue.async {
            let (start, used) = (Stopwatch.now, ProcessUsage.processorTimeOfThread)
            unsafe job.runSynchronously(on: self.asUnownedSerialExecutor())
            let (elapsed, processor) = (Double(Stopwatch.now - start), ProcessUsage.processorTimeOfThread - used)
            self.longest.withLock { longest in
                longest.elapsed = max(longest.elapsed, elapsed)
                longest.processor = max(longest.processor, processor)
            }
        }
    }
}
