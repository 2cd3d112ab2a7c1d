public import EventDelivery

/// The contract of `DeliveryClock`.
///
/// Run each of ``checks`` as a separate test. A check throws a description of the violation, so it works in Swift
/// Testing and XCTest.
///
/// ```swift
/// @Test(.timeLimit(.minutes(5)), arguments: ClockContract.checks)
/// func `keeps the contract of a clock`(check: ClockContract.Check) async throws {
///     try await check.run(SystemClock())
/// }
/// ```
public enum ClockContract {
    /// A check of one rule.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule, as a sentence.
        public let description: String
        private let body: @Sendable (any DeliveryClock, Advance) async throws -> Void

        init(_ description: String, _ body: @escaping @Sendable (any DeliveryClock, Advance) async throws -> Void) {
            self.description = description
            self.body = body
        }

        /// Checks a clock.
        ///
        /// - Parameters:
        ///   - clock: The clock to check.
        ///   - advance: A function for advancing a manual clock.
        /// - Throws: ``Violation`` if the clock breaks the rule.
        public func run(_ clock: any DeliveryClock, advance: @escaping Advance = { _ in }) async throws {
            try await body(clock, advance)
        }
    }

    /// A function that advances a clock.
    public typealias Advance = @Sendable (Duration) -> Void

    /// A violation of a rule.
    public struct Violation: Error, CustomStringConvertible {
        public let description: String
    }

    /// All checks of the contract.
    public static let checks: [Check] = times + sleeps

    private static let times: [Check] = [
        Check("the monotonic time never decreases on any thread") { clock, advance in
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
        Check("the boot identifier is not empty and does not change") { clock, advance in
            let identifier = clock.bootID

            advance(.seconds(1))

            try expect(!identifier.isEmpty, "the identifier is empty, so it does not change when the machine starts")
            try expect(clock.bootID == identifier, "\(identifier) became \(clock.bootID)")
        },
    ]

    private static let sleeps: [Check] = [
        Check("each of several sleeps ends at its own instant or later") { clock, advance in
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
        Check("a sleep until an instant that has passed ends at once") { clock, _ in
            for instant in [
                clock.monotonicTime(), MonotonicInstant(nanoseconds: 0), MonotonicInstant(nanoseconds: .min),
            ] {
                try await clock.sleep(until: instant)
            }
        },
        Check("a sleep throws soon after its task is cancelled") { clock, _ in
            let instant = clock.monotonicTime().advanced(by: .seconds(86_400))
            let sleeping = Task { await sleep(of: clock, until: instant) }
            for _ in 0..<10 { await Task.yield() }

            sleeping.cancel()

            try expectCancellation(await sleeping.value)
        },
        Check("a sleep in a cancelled task throws at once") { clock, _ in
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
            throw Violation(description: "the cancelled sleep ended with \(String(describing: result))")
        }
    }

    private static func expect(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws {
        if !holds { throw Violation(description: otherwise()) }
    }
}
