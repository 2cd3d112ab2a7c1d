import EventDeliveryTesting
import Testing

@Suite struct TestClockTests {
    @Test(.timeLimit(.minutes(5)), arguments: ClockContract.checks)
    func `keeps the contract of a clock`(check: ClockContract.Check) async throws {
        let clock = TestClock()

        try await check.run(clock) { clock.advance(by: $0) }
    }
}
