import CoreTracker
import EventDeliveryTesting
import Synchronization
import Testing

@testable import EventDelivery

@Suite struct IntakeTests {
    private let clock = TestClock()

    @Test func `an event keeps what was current when it was taken`() {
        let intake = Intake(clock: clock, eventTime: nil, capacity: 10)
        let lane = intake.withState { $0.index(of: LaneID(product: "T", service: "lines")) }

        intake.withState { $0.setUser("ali") }
        accept("first", by: intake, lane: lane)
        intake.withState { $0.setUser("veli") }
        clock.advance(by: .seconds(1))
        accept("second", by: intake, lane: lane)

        let entries = group(of: intake).entries
        #expect(entries.map(\.name) == ["first", "second"])
        #expect(entries.map(\.identity.identity.userID) == ["ali", "veli"])
        #expect(entries[0].time < entries[1].time)
        #expect(entries[0].id < entries[1].id)
    }

    @Test func `the time of events may be the app's own`() {
        let time = Timestamp(microseconds: 1_000_000)
        let intake = Intake(clock: clock, eventTime: { time }, capacity: 10)
        let lane = intake.withState { $0.index(of: LaneID(product: "T", service: "lines")) }

        accept("replayed", by: intake, lane: lane)

        #expect(intake.now == time)
        #expect(group(of: intake).entries.map(\.time) == [time])
    }

    @Test func `the app's own time may come from what the engine knows`() {
        let known = KnownIntake()
        let intake = Intake(clock: clock, eventTime: { known.sessionStart }, capacity: 10)
        let start = intake.withState { $0.identity.identity.sessionStart }
        known.intake.withLock { $0 = intake }
        let lane = intake.withState { $0.index(of: LaneID(product: "T", service: "lines")) }

        accept("replayed", by: intake, lane: lane)

        #expect(group(of: intake).entries.map(\.time) == [start])
    }

    @Test(arguments: [0, -1])
    func `a capacity below 1 is 1`(capacity: Int) {
        let intake = Intake(clock: clock, eventTime: nil, capacity: capacity)
        let lane = intake.withState { $0.index(of: LaneID(product: "T", service: "lines")) }

        accept("first", by: intake, lane: lane)
        accept("second", by: intake, lane: lane)

        #expect(intake.ledger(of: lane).pending == 1)
        #expect(intake.ledger(of: lane).dropped == [.bufferFull: 1])
        #expect(intake.ledger(of: 99) == LaneLedger())
    }

    @Test func `denying a lane gives up what is buffered for it, and answers who waits`() async {
        let intake = Intake(clock: clock, eventTime: nil, capacity: 10)
        let lane = intake.withState { $0.index(of: LaneID(product: "T", service: "lines")) }

        let receipt = await withCheckedContinuation { continuation in
            intake.accept(
                lane: lane,
                name: "held",
                parameters: [:],
                defaults: [:],
                options: TrackOptions(),
                receipt: continuation
            )
            intake.deny([lane])
        }

        #expect(receipt.outcome == .lost(.consentDenied))
        #expect(intake.unopenedStatistics.map(\.ledger.dropped) == [[.consentDenied: 1]])
        #expect(intake.unopenedReport.lanes.map(\.pending) == [0])
    }

    private func group(of intake: Intake) -> IntakeGroup {
        intake.withState { $0.takeGroup(all: true, now: clock.monotonicTime(), spare: []) }
    }

    private func accept(_ name: String, by intake: Intake, lane: Int) {
        intake.accept(lane: lane, name: name, parameters: [:], defaults: [:], options: TrackOptions())
    }
}

/// An intake that the closure for its events' time asks.
private final class KnownIntake: Sendable {
    let intake = Mutex<Intake?>(nil)

    var sessionStart: Timestamp {
        intake.withLock { $0 }?.withState { $0.identity.identity.sessionStart } ?? Timestamp(microseconds: 0)
    }
}
