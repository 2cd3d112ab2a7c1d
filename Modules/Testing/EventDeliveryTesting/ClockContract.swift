public import CoreTrackerTesting
public import EventDelivery

/// The contract of `DeliveryClock`.
///
/// ```swift
/// @Test(.timeLimit(.minutes(5)), arguments: ClockContract.checks)
/// func `keeps the contract of a clock`(check: ClockContract.Check) async throws {
///     try await check.run(.init(SystemClock()))
/// }
/// ```
public enum ClockContract {
    /// A clock under test.
    public struct Subject: Sendable {
        let clock: any DeliveryClock
        let advance: @Sendable (Duration) -> Void

        /// Creates a subject from a clock.
        ///
        /// - Parameters:
        ///   - clock: The clock.
        ///   - advance: A function for advancing a manual clock.
        public init(_ clock: any DeliveryClock, advance: @escaping @Sendable (Duration) -> Void = { _ in }) {
            self.clock = clock
            self.advance = advance
        }
    }

    /// A check of one rule of the contract.
    public typealias Check = ContractCheck<Subject>

    /// The checks of the contract.
    public static let checks: [Check] = times + sleeps

    private static let times: [Check] = [
        Check("the monotonic time never decreases on any thread") { subject in
            let (clock, advance) = (subject.clock, subject.advance)
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        var last = clock.monotonicTime()
                        for _ in 0..<2_000 {
                            let time = clock.monotonicTime()
                            try expect(time >= last, "\(time) came after \(last)")
                            last = time
                        }
                    }
                }
                for _ in 0..<100 { advance(.microseconds(1)) }
                try await group.waitForAll()
            }
        },
        Check("the boot identifier is not empty and does not change") { subject in
            let (clock, advance) = (subject.clock, subject.advance)
            let identifier = clock.bootID

            advance(.seconds(1))

            try expect(!identifier.isEmpty, "the identifier is empty, so it does not change when the machine starts")
            try expect(clock.bootID == identifier, "\(identifier) became \(clock.bootID)")
        },
    ]

    private static let sleeps: [Check] = [
        Check("each of several sleeps ends at its own instant or later") { subject in
            let (clock, advance) = (subject.clock, subject.advance)
            let start = clock.monotonicTime()
            try await withThrowingTaskGroup { group in
                for milliseconds in [10, 1, 5] {
                    group.addTask {
                        let instant = start.advanced(by: .milliseconds(milliseconds))
                        try await clock.sleep(until: instant)
                        let end = clock.monotonicTime()
                        try expect(end >= instant, "the sleep until \(instant) ended at \(end)")
                    }
                }
                for _ in 0..<10 { advance(.milliseconds(1)) }
                try await group.waitForAll()
            }
        },
        Check("a sleep until an instant that has passed ends at once") { subject in
            let clock = subject.clock
            for instant in [
                clock.monotonicTime(), MonotonicInstant(nanoseconds: 0), MonotonicInstant(nanoseconds: .min),
            ] {
                try await clock.sleep(until: instant)
            }
        },
        Check("a sleep throws soon after its task is cancelled") { subject in
            let clock = subject.clock
            let instant = clock.monotonicTime().advanced(by: .seconds(86_400))
            let sleeping = Task { await sleep(of: clock, until: instant) }
            for _ in 0..<10 { await Task.yield() }

            sleeping.cancel()

            try expectCancellation(await sleeping.value)
        },
        Check("a sleep in a cancelled task throws at once") { subject in
            let clock = subject.clock
            let instant = clock.monotonicTime().advanced(by: .seconds(86_400))

            let result = await withTaskGroup(of: Result<Void, any Error>.self) { group in
                group.cancelAll()
                group.addTask { await sleep(of: clock, until: instant) }
                return await group.next()
            }

            try expectCancellation(result)
        },
    ]

    private static func sleep(of clock: any DeliveryClock, until instant: MonotonicInstant) async -> Result<
        Void, any Error
    > {
        do {
            return .success(try await clock.sleep(until: instant))
        } catch {
            return .failure(error)
        }
    }

    private static func expectCancellation(_ result: Result<Void, any Error>?) throws {
        guard case .failure(is CancellationError)? = result else {
            throw ContractViolation("the cancelled sleep ended with \(String(describing: result))")
        }
    }
}
