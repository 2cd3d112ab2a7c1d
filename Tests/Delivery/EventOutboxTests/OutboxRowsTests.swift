import CoreTracker
import EventDeliveryAPI
import EventDeliveryTesting
import Testing

@testable import EventOutbox

@Suite struct OutboxRowsTests {
    private let queue: TemporaryQueue
    private let lane = StoredLane(number: 1, id: LaneID(product: "T", service: "lines"))

    init() throws { queue = try TemporaryQueue() }

    @Test func `a lane continues behind its last segment, even if its row is older`() throws {
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [.stub(number: 40, ids: 1...3)])
        }

        #expect(try queue.rows().lanes.map(\.nextNumber) == [43])
    }

    @Test func `a segment of no lane is damage, because its events must not become those of another lane`() throws {
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [.stub(lane: 1), .stub(lane: 2)])
        }

        #expect(throws: OutboxError.corrupt) { try queue.rows() }
        // The checkpoint contains the lane.
        let other = StoredLane(number: 2, id: LaneID(product: "T", service: "other"))
        DurabilityCheckpoint([lane, other], number: 0).write(queue: queue.path)
        #expect(try queue.rows().lanes.map(\.number) == [1, 2])
    }

    @Test func `an event exists unless a denial of its lane or a pending erasure of its user covers it`() {
        var (rows, lane) = (OutboxRows(), lane)
        rows.privacy.erasures = [ErasureRow(number: 5, user: UserHash(rawValue: 7))]
        lane.void = 3

        #expect(!rows.exists(on: lane, .nobody, 2))
        #expect(rows.exists(on: lane, .nobody, 3))
        #expect(!rows.exists(on: lane, UserHash(rawValue: 7), 4))
        #expect(rows.exists(on: lane, UserHash(rawValue: 7), 5))
        // The user is unknown because of damage.
        #expect(!rows.exists(on: lane, nil, 4))
    }

    @Test(arguments: ["decision", "denial", "erasure", "segment", "quarantine", "lane", "checkpoint"])
    func `if the state is lost, numbers continue above the greatest one of any row`(place: String) throws {
        var lane = lane
        if place == "lane" { lane.void = 1_000 }
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [.stub(number: 1, decision: place == "segment" ? 1_000 : 4)])
            change.save(quarantined: [.stub(.stub(9), decision: place == "quarantine" ? 1_000 : 4)])
            change.save(decisions: [
                DecisionRow(
                    purpose: "ads",
                    consent: .denied,
                    number: ["decision", "denial"].contains(place) ? 1_000 : 4,
                    denial: place == "denial" ? 1_000 : 3
                )
            ])
            change.save(erasures: [ErasureRow(number: place == "erasure" ? 1_000 : 4, user: .nobody)])
        }
        try queue.execute("DELETE FROM state")
        DurabilityCheckpoint([], number: place == "checkpoint" ? 1_000 : 4).write(queue: queue.path)

        let rows = try queue.rows()

        #expect(rows.privacy.isStateLost)
        #expect(rows.privacy.number == 1_000)
        #expect(rows.privacy.decisions.isEmpty == (place == "checkpoint"))
    }

    @Test func `a segment whose number no user reaches does not raise the numbers`() throws {
        try queue.commit { change in
            change.save(lanes: [lane])
            change.save(segments: [.stub(number: 1, decision: 12), .stub(number: 3, decision: 1 << 48 + 1)])
        }
        try queue.execute("DELETE FROM state")

        #expect(try queue.rows().privacy.number == 12)
    }

    @Test func `a file that is older than its checkpoint has lost its last decisions`() throws {
        var state = PrivacyStateRow()
        (state.number, state.decisions) = (6, 1)
        try queue.commit { change in
            change.save(decisions: [DecisionRow(purpose: "ads", consent: .granted, number: 6)])
            change.save(state)
        }
        DurabilityCheckpoint([], number: 6).write(queue: queue.path)
        #expect(try queue.rows().privacy.decisions.map(\.consent) == [.granted])

        DurabilityCheckpoint([], number: 7).write(queue: queue.path)

        let privacy = try queue.rows().privacy
        #expect(privacy.decisions.isEmpty)
        #expect(privacy.lacksDecisions && !privacy.isClean)
        #expect(privacy.number == 7)
    }
}
