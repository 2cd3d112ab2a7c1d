import CoreTrackerTesting
import EventDeliveryTesting
import EventTracking
import Testing

@Suite struct TestClockTests {
    @Test(.timeLimit(.minutes(5)), arguments: ClockContract.checks)
    func `keeps the contract of a clock`(check: ClockContract.Check) async throws {
        let clock = TestClock()

        try await check.run(.init(clock) { clock.advance(by: $0) })
    }

    @Test(.timeLimit(.minutes(1))) func `the next wake-up is the end of the shortest sleep`() async throws {
        let clock = TestClock()
        let sleeps = [30, 20].map { seconds in
            Task { try await clock.sleep(until: clock.monotonicTime().advanced(by: .seconds(seconds))) }
        }
        for seconds in [30, 20] { _ = await clock.nextSleep { $0 == .seconds(seconds) } }

        let first = clock.timeUntilNextWakeUp
        clock.advance(by: .seconds(20))
        let second = clock.timeUntilNextWakeUp
        clock.advance(by: .seconds(10))
        for sleep in sleeps { try await sleep.value }

        #expect(first == .seconds(20) && second == .seconds(10))
        #expect(clock.timeUntilNextWakeUp == nil)
    }
}
