import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventBuffer
@testable import EventDelivery

@Suite struct GroupWriterTests {
    private let moment = StoredMoment(
        wall: Timestamp(microseconds: 1_772_359_200_000_000),
        monotonic: MonotonicInstant(nanoseconds: 1),
        boot: 7
    )

    @Test func `events of one key and priority share a segment, others begin a new one`() {
        let writer = write([entry(1), entry(2), entry(3, priority: .high), entry(4)])

        #expect(writer.change.inserted.map(\.count) == [2, 1, 1])
        #expect(writer.change.inserted.map(\.place.number) == [1, 3, 4])
        #expect(writer.lanes.map(\.stored.nextNumber) == [5])
        #expect(writer.lanes.map(\.stored.ledger.accepted) == [4])
    }

    @Test func `an event that its destination refuses is counted by the rule`() {
        let writer = write([entry(1, name: ""), entry(2)])

        #expect(writer.change.inserted.map(\.count) == [1])
        #expect(writer.drops == [0: [.rule("name_empty"): 1]])
        #expect(writer.losses.map(\.id) == [.stub(1)])
        #expect(writer.lanes[0].stored.ledger.pending == 1)
    }

    @Test func `an event larger than its destination takes is counted and not stored`() {
        let limits = BatchLimits(events: 10, bodyBytes: 1_000, eventBytes: 100)

        let writer = write([entry(1)], limits: limits)

        #expect(writer.change.inserted.isEmpty)
        #expect(writer.drops == [0: [.tooLarge: 1]])
    }

    @Test(
        arguments: [
            (Consent.granted, [1], [], [:]), (.unknown, [], [1], [:]), (.denied, [], [], [0: [.consentDenied: 1]]),
        ] as [(Consent, [Int], [Int], [Int: [DropReason: Int]])]
    )
    func `consent decides where an event is stored`(
        consent: Consent,
        inserted: [Int],
        held: [Int],
        drops: [Int: [DropReason: Int]]
    ) {
        let writer = write([entry(1)], consent: consent)

        #expect(writer.change.inserted.map(\.count) == inserted)
        #expect(writer.change.insertedHeld.map(\.count) == held)
        #expect(writer.drops == drops)
    }

    @Test func `an event is stored by the decision at its time, even if a later one is applied`() {
        let word = ConsentWord(consent: .unknown, number: 2, denial: 0, since: .stub(1), granted: .stub(1))
        var group = BufferedGroup(chunks: [[entry(1), entry(2)]])
        group.words = [word]

        let writer = write(group, word: word)

        #expect(writer.change.inserted.flatMap { $0.read().map(\.id) } == [.stub(1)])
        #expect(writer.change.insertedHeld.flatMap { $0.read().map(\.id) } == [.stub(2)])
    }

    @Test func `events beyond the limit of held events are counted`() {
        let writer = write((1...5).map { entry($0) }, consent: .unknown, heldBudget: 3)

        #expect(writer.change.insertedHeld.map(\.count) == [3])
        #expect(writer.drops == [0: [.heldBudget: 2]])
    }

    @Test func `one strict event makes the group strict, and refusals before it are in the ledger`() {
        let group = BufferedGroup(chunks: [[entry(1, durability: .strict)]], refused: [0: [.bufferFull: 7]])

        let writer = write(group)

        #expect(writer.isStrict)
        #expect(writer.lanes[0].stored.ledger.accepted == 8)
        #expect(writer.lanes[0].stored.ledger.dropped == [.bufferFull: 7])
    }

    private func write(
        _ entries: [BufferedEvent],
        limits: BatchLimits = BatchLimits(events: 500, bodyBytes: 1_000_000),
        consent: Consent = .granted,
        heldBudget: Int = 100
    ) -> GroupWriter {
        write(BufferedGroup(chunks: [entries]), limits: limits, word: .initial(consent), heldBudget: heldBudget)
    }

    private func write(
        _ group: BufferedGroup,
        limits: BatchLimits = BatchLimits(events: 500, bodyBytes: 1_000_000),
        word: ConsentWord = .initial(.granted),
        heldBudget: Int = 100
    ) -> GroupWriter {
        let destination = LineDestination(limits: limits)
        let stored = StoredLane(number: 1, id: destination.lane)
        var writer = GroupWriter(
            lanes: [LaneQueue(stored: stored, destination: destination, consent: word)],
            moment: moment,
            deviceID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            heldBudget: heldBudget,
            redactor: SensitiveValueRedactor(salt: nil),
            middleware: MiddlewareChain([], clock: TestClock())
        )
        var encoder = EventEncoder()
        writer.write(group, encoder: &encoder)
        return writer
    }

    private func entry(
        _ number: UInt16,
        name: String = "viewed",
        priority: TrackOptions.Priority = .normal,
        durability: TrackOptions.Durability = .durable
    ) -> BufferedEvent {
        BufferedEvent(
            lane: 0,
            options: TrackOptions(durability: durability, priority: priority),
            id: .stub(number),
            time: moment.wall,
            identity: FrozenIdentity(.stub()),
            name: name,
            parameters: [:],
            defaults: [:],
            receipt: nil
        )
    }
}
