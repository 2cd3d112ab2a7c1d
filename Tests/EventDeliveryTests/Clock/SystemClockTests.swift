import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct SystemClockTests {
    @Test(.timeLimit(.minutes(1)), arguments: ClockContract.checks)
    func `keeps the contract of a clock`(check: ClockContract.Check) async throws {
        try await check.run(SystemClock())
    }

    @Test func `its wall time is the time of day`() {
        #expect(SystemClock().wallTime().seconds > 1_750_000_000)
    }
}
