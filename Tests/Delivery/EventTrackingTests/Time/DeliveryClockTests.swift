import CoreTrackerTesting
import EventDeliveryTesting
import Testing

@testable import EventTracking

@Suite struct DeliveryClockTests {
    @Test(.timeLimit(.minutes(5)), arguments: ClockContract.checks)
    func `keeps the contract of a clock`(check: ClockContract.Check) async throws {
        try await check.run(.init(SystemClock()))
    }

    @Test func `without a boot identifier of the system, the identifier is unique to the process`() {
        #expect(!SystemClock(bootID: "").bootID.isEmpty)
        #expect(SystemClock(bootID: "").bootID == SystemClock(bootID: "").bootID)
        #expect(SystemClock(bootID: "1").bootID == "1")
    }

    @Test(arguments: [(0, 10), (1, 10), (2, 16), (600, 4_800)])
    func `a part of a sleep lasts ten seconds, or eight times as long as the sleep so far`(elapsed: Int, part: Int) {
        #expect(SystemClock.longestPart(after: .seconds(elapsed)) == .seconds(part))
    }

    @Test func `the wall time is the time of day`() {
        #expect(SystemClock().wallTime().seconds > 1_750_000_000)
    }
}
