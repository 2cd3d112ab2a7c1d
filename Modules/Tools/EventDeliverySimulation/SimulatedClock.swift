package import EventDelivery
import Locks

/// The clocks of a simulated device.
///
/// The scheduler provides the monotonic time, and the wall clock can jump.
@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
package struct SimulatedClock: DeliveryClock {
    /// The error of the wall clock in microseconds, which all processes share.
    package final class Offset: Sendable {
        private let microseconds = Mutex<Int64>(0)

        /// Creates an offset of zero.
        package init() {}

        /// The error in microseconds.
        package var value: Int64 { microseconds.withLock { $0 } }

        /// Moves the wall clock forward or back.
        ///
        /// - Parameter seconds: The seconds to add.
        package func jump(bySeconds seconds: Int64) { microseconds.withLock { $0 += seconds * 1_000_000 } }

        /// Sets the wall clock to the correct time.
        package func correct() { microseconds.withLock { $0 = 0 } }
    }

    private static let start: Int64 = 1_772_359_200_000_000
    private let scheduler: Scheduler
    private let offset: Offset
    private let startedAt: Int64
    package let bootID: String

    /// Creates the clocks of a device.
    ///
    /// - Parameters:
    ///   - scheduler: The source of the monotonic time.
    ///   - offset: The error of the wall clock.
    ///   - boot: The number of the device's current start.
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
