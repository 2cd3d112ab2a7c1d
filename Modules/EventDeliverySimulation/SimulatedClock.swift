package import EventDelivery
import Locks

/// The clocks of a simulated device since its last start: the monotonic one is the scheduler's, the wall clock jumps.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package struct SimulatedClock: DeliveryClock {
    /// What the wall clock is off by, in microseconds; processes share it.
    package final class Offset: Sendable {
        private let microseconds = Mutex<Int64>(0)

        /// Creates a clock that is right.
        package init() {}

        /// What the wall clock is off by.
        package var value: Int64 { microseconds.withLock { $0 } }

        /// Sets the wall clock forward or back.
        package func jump(bySeconds seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }

        /// Puts the wall clock right.
        package func correct() { microseconds.withLock { $0 = 0 } }
    }

    private static let start: Int64 = 1_772_359_200_000_000
    private let scheduler: Scheduler
    private let offset: Offset
    private let startedAt: Int64
    package let bootID: String

    /// Creates the clocks of a device that has just started for the so-manieth time.
    package init(_ scheduler: Scheduler, offset: Offset, boot: Int) {
        self.scheduler = scheduler
        self.offset = offset
        startedAt = boot == 0 ? 0 : scheduler.now
        bootID = "boot-\(boot)"
    }

    package func wallTime() -> Timestamp {
        Timestamp(microseconds: SimulatedClock.start + scheduler.now / 1000 + offset.value)
    }

    package func monotonicTime() -> MonotonicInstant { MonotonicInstant(nanoseconds: scheduler.now - startedAt) }

    package func sleep(until instant: MonotonicInstant) async throws {
        let (due, overflow) = instant.nanoseconds.addingReportingOverflow(startedAt)
        if !overflow, due <= scheduler.now { return try Task.checkCancellation() }
        try await scheduler.sleep(until: overflow ? .max : due)
    }
}
