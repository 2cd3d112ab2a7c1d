import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct IntakeStateTests {
    private static let moment = Timestamp(microseconds: 1_772_359_200_000_000)

    @Test func `a full buffer gives up its newest event of a lower priority, and counts it`() {
        var state = IntakeState(capacity: 4, now: IntakeStateTests.moment, monotonic: MonotonicInstant(nanoseconds: 0))
        let lane = state.index(of: LaneID(product: "T", service: "lines"))
        for priority in [.normal, .low, .low, .high] as [TrackOptions.Priority] {
            track(with: priority, in: lane, of: &state)
        }

        for _ in 1...4 { track(with: .high, in: lane, of: &state) }

        #expect(state.lanes[lane].ledger.dropped == [.bufferFull: 4])
        #expect(state.takeAll().entries.map(\.options.priority) == [.high, .high, .high, .high])
    }

    @Test func `what left the buffer in another way makes no room later`() {
        var state = IntakeState(capacity: 2, now: IntakeStateTests.moment, monotonic: MonotonicInstant(nanoseconds: 0))
        let lane = state.index(of: LaneID(product: "T", service: "lines"))
        track(with: .low, in: lane, of: &state)
        let group = state.takeAll()
        track(with: .low, in: lane, of: &state)
        _ = state.setDenied(true, lanes: [lane])
        _ = state.setDenied(false, lanes: [lane])
        track(with: .normal, in: lane, of: &state)

        track(with: .high, in: lane, of: &state)
        track(with: .high, in: lane, of: &state)

        #expect(group.entries.count == 1)
        #expect(state.takeAll().entries.map(\.options.priority) == [.high])
        #expect(state.lanes[lane].ledger.dropped == [.bufferFull: 2, .consentDenied: 1])
    }

    // Looking through the buffer for each refused event would take ten billion steps.
    @Test(.timeLimit(.minutes(1)))
    func `a full buffer without an event of lower priority refuses the next one without looking through it`() {
        let capacity = 100_000
        var state = IntakeState(
            capacity: capacity,
            now: IntakeStateTests.moment,
            monotonic: MonotonicInstant(nanoseconds: 0)
        )
        let lane = state.index(of: LaneID(product: "T", service: "lines"))

        for _ in 1...(2 * capacity) { track(with: .normal, in: lane, of: &state) }

        #expect(state.waitingCount == capacity)
        #expect(state.lanes[lane].ledger.dropped == [.bufferFull: capacity])
    }

    private func track(with priority: TrackOptions.Priority, in lane: Int, of state: inout IntakeState) {
        let options = TrackOptions(priority: priority)
        if let reason = state.refusal(lane: lane, name: "viewed", options: options) {
            _ = state.refuse(lane: lane, reason)
            return
        }
        let entry = IntakeEntry(
            lane: lane,
            options: options,
            id: .stub(),
            time: IntakeStateTests.moment,
            identity: state.identity,
            name: "viewed",
            parameters: [:],
            defaults: [:],
            receipt: nil
        )
        _ = state.append(entry)
    }
}

extension IntakeState {
    fileprivate mutating func takeAll() -> IntakeGroup {
        takeGroup(all: true, now: MonotonicInstant(nanoseconds: 0), spare: [])
    }
}
