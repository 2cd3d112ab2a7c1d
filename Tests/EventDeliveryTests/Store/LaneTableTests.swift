import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery

@Suite struct LaneTableTests {
    private let lane = LaneID(product: "T", service: "lines")

    @Test func `packs get the next places of their lane here, and batches go with them`() throws {
        var absorption = Absorption(lanes: [state(consent: .granted, next: 100)])

        absorption.add(stored, of: contents)

        #expect(absorption.change.inserted.map(\.place.number) == [100])
        #expect(absorption.change.inserted.map { $0.read().map(\.id) } == [[.stub(1), .stub(2)]])
        #expect(absorption.change.savedBatches.map(\.packs) == [absorption.change.inserted.map(\.place)])
        #expect(absorption.lanes[0].stored.nextNumber == 102)
        #expect(absorption.lanes[0].usage.totalEvents == 2)
        #expect(absorption.lanes[0].stored.ledger.pending == 2)
    }

    @Test func `what the user has refused since is counted and left behind`() {
        var absorption = Absorption(lanes: [state(consent: .denied, next: 1)])

        absorption.add(stored, of: contents)

        #expect(absorption.change.inserted.isEmpty)
        #expect(absorption.change.savedBatches.isEmpty)
        #expect(absorption.lanes[0].stored.ledger.dropped == [.consentDenied: 2])
        #expect(absorption.lanes[0].stored.ledger.pending == 0)
    }

    @Test(arguments: [(Consent.unknown, 0, 2), (.granted, 2, 0)])
    func `held packs stay held until the user has agreed`(consent: Consent, inserted: Int, held: Int) {
        var contents = OutboxContents()
        contents.add(.stub(), isHeld: true)
        var absorption = Absorption(lanes: [state(consent: consent, next: 1)])

        absorption.add(stored, of: contents)

        #expect(absorption.change.inserted.reduce(0) { $0 + $1.count } == inserted)
        #expect(absorption.change.insertedHeld.reduce(0) { $0 + $1.count } == held)
    }

    @Test func `a lane that is not known here is left out`() {
        var absorption = Absorption(lanes: [])

        absorption.add(stored, of: contents)

        #expect(absorption.change.lanes.isEmpty)
    }

    private var stored: StoredLane {
        var stored = StoredLane(number: 1, id: lane)
        stored.ledger.accepted = 2
        return stored
    }

    private var contents: OutboxContents {
        var contents = OutboxContents()
        contents.add(.stub(), isHeld: false)
        contents.batches = [StoredBatch(id: .stub(100), packs: [PackPlace(lane: 1, number: 1)], attempts: 2)]
        return contents
    }

    private func state(consent: Consent, next: Int64) -> LaneQueue {
        var stored = StoredLane(number: 5, id: lane)
        stored.nextNumber = next
        return LaneQueue(stored: stored, destination: LineDestination(), consent: .initial(consent))
    }
}
