import CoreTracker
import EventDeliveryTesting
import Testing

@testable import EventDelivery
@testable import EventOutbox
@testable import EventTracking

@Suite(.timeLimit(.minutes(5))) struct GroupWriterTests {
    private let moment = StoredMoment(
        wall: Timestamp(microseconds: 1_772_359_200_000_000),
        monotonic: MonotonicInstant(nanoseconds: 1),
        boot: 7
    )

    @Test func `events of one key and priority share a segment, and others begin a new one`() {
        let writer = write([entry(1), entry(2), entry(3, priority: .high), entry(4)])

        #expect(writer.change.savedSegments.map(\.count) == [2, 1, 1])
        #expect(writer.change.savedSegments.map(\.place.number) == [1, 3, 4])
        #expect(writer.lanes.map(\.stored.nextNumber) == [5])
        #expect(writer.lanes.map(\.stored.ledger.accepted) == [4])
        #expect(Set(writer.change.savedSegments.map(\.decision)) == [7])
    }

    @Test func `a group copies and stores only the lanes of its events, of a thousand lanes`() {
        let writer = write([entry(1, lane: 700), entry(2, lane: 20), entry(3, lane: 700)])

        #expect(writer.indices == [700, 20])
        #expect(writer.change.savedLanes.count == 2)
    }

    @Test func `a lane that was empty stores the batch of its events with them`() {
        let writer = write([entry(1), entry(2, lane: 1), entry(3, priority: .high)])

        let batches = writer.change.savedLanes.map { $0.batches.flatMap(\.segments).map(\.number) }
        #expect(batches == [[1, 2], [1]])
        #expect(writer.lanes.map(\.firstFree) == [3, 2])
    }

    @Test func `a lane that cannot send its events at once in one request stores no batch`() {
        let other = entry(2, user: "other")
        let unplanned = [
            write([entry(1)], consent: .unknown),
            write([entry(1)], holds: [.maintenance]),
            write([entry(1)], schedule: .phone),
            write([entry(1)], isFlood: true),
            write([entry(1), other]),
            write([entry(1), entry(2)], limits: BatchLimits(events: 1, bodyBytes: 1_000_000)),
            write((1...20).map { entry($0) }, limits: BatchLimits(events: 50, bodyBytes: 1_000)),
        ]

        #expect(unplanned.map { $0.change.savedLanes.map(\.batches) } == Array(repeating: [[]], count: 7))
        #expect(unplanned.allSatisfy { !$0.change.savedSegments.isEmpty })
    }

    @Test func `an event that its destination refuses is counted by the rule`() {
        let writer = write([entry(1, name: ""), entry(2)])

        #expect(writer.change.savedSegments.map(\.count) == [1])
        #expect(writer.effects.drops == [0: [.rule("name_empty"): 1]])
        #expect(writer.effects.losses.map(\.ids) == [[.stub(1)]])
        #expect(writer.lanes[0].stored.ledger.pending == 1)
    }

    @Test func `an event that exceeds its destination's limit is counted and not stored`() {
        let limits = BatchLimits(events: 10, bodyBytes: 1_000, eventBytes: 100)

        let writer = write([entry(1)], limits: limits)

        #expect(writer.change.savedSegments.isEmpty)
        #expect(writer.effects.drops == [0: [.tooLarge: 1]])
    }

    @Test(arguments: [(Consent.granted, false), (.unknown, true)])
    func `an event without a decision is stored like a granted one, and its destination knows`(
        consent: Consent,
        awaitsConsent: Bool
    ) {
        let writer = write([entry(1)], consent: consent, middleware: [AwaitingConsent()])

        #expect(writer.change.savedSegments.map(\.count) == [1])
        #expect(writer.lanes[0].stored.ledger.adjusted.keys.contains("middleware.awaiting") == awaitsConsent)
    }

    @Test func `a denied event is counted and not stored`() {
        let writer = write([entry(1)], consent: .denied)

        #expect(writer.change.savedSegments.isEmpty)
        #expect(writer.effects.drops == [0: [.consentDenied: 1]])
    }

    @Test func `events beyond the limit of held events are counted`() {
        let writer = write((1...5).map { entry($0) }, consent: .unknown, consentBudget: 3)

        #expect(writer.change.savedSegments.map(\.count) == [3])
        #expect(writer.effects.drops == [0: [.consentBudget: 2]])
    }

    @Test func `one strict event makes the group strict, and refusals before it are in the ledger`() {
        let group = BufferedGroup(chunks: [[entry(1, durability: .strict)]], refused: [0: [.bufferFull: 7]])

        let writer = write(group)

        #expect(writer.effects.isStrict)
        #expect(writer.lanes[0].stored.ledger.accepted == 8)
        #expect(writer.lanes[0].stored.ledger.dropped == [.bufferFull: 7])
    }

    private func write(
        _ entries: [BufferedEvent],
        limits: BatchLimits = BatchLimits(events: 500, bodyBytes: 1_000_000),
        consent: Consent = .granted,
        consentBudget: Int = 100,
        middleware: [any EventMiddleware] = [],
        holds: Set<HoldReason> = [],
        schedule: SendingSchedule = .immediate,
        isFlood: Bool = false
    ) -> GroupWriter {
        write(
            BufferedGroup(chunks: [entries]),
            limits: limits,
            consent: consent,
            consentBudget: consentBudget,
            middleware: middleware,
            holds: holds,
            schedule: schedule,
            isFlood: isFlood
        )
    }

    private func write(
        _ group: BufferedGroup,
        limits: BatchLimits = BatchLimits(events: 500, bodyBytes: 1_000_000),
        consent: Consent = .granted,
        consentBudget: Int = 100,
        middleware: [any EventMiddleware] = [],
        holds: Set<HoldReason> = [],
        schedule: SendingSchedule = .immediate,
        isFlood: Bool = false
    ) -> GroupWriter {
        let destination = LineDestination(limits: limits, isKeyedByUser: true)
        let inEffect = LaneConsent()
        inEffect.set(consent, denial: 0)
        var lanes = LaneTable(buffer: EventBuffer(clock: TestClock(), eventTime: nil, capacity: 1), destinations: [])
        for number in 1...1_000 {
            let id = LaneID(product: destination.lane.product, service: "\(number)")
            lanes[lanes.index(of: id)] = LaneQueue(
                stored: StoredLane(number: number, id: id),
                destination: destination,
                consent: inEffect,
                holds: LaneHolds(holds),
                schedule: schedule
            )
        }
        let base = GroupWriter.Base(
            number: 7,
            privacy: CurrentDecisions(),
            changedState: nil,
            moment: moment,
            identity: DeliveryEngine().buffer.identity,
            deviceID: "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
            hasListeners: false,
            consentBudget: consentBudget
        )
        var writer = GroupWriter(
            base,
            redactor: SensitiveValueRedactor(salt: nil),
            middleware: MiddlewareChain(list: middleware)
        )
        var encoder = EventEncoder()
        writer.write(group, lanes: lanes, encoder: &encoder)
        writer.saveLanes({ .stub(99) }, isFlood: isFlood)
        return writer
    }

    private func entry(
        _ id: UInt16,
        lane: Int = 0,
        number: UInt64 = 0,
        name: String = "viewed",
        priority: TrackOptions.Priority = .normal,
        durability: TrackOptions.Durability = .durable,
        user: String? = nil
    ) -> BufferedEvent {
        BufferedEvent(
            lane: lane,
            options: TrackOptions(durability: durability, priority: priority),
            id: .stub(id),
            number: number,
            time: moment.wall,
            identity: FrozenIdentity(user.map { .stub(userID: $0) } ?? .stub()),
            name: name,
            parameters: [:],
            defaults: [:],
            receipt: nil
        )
    }
}

/// A middleware that records whether an event awaits consent, as an adjustment.
private struct AwaitingConsent: EventMiddleware {
    let name = "awaiting"

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        event.awaitsConsent ? .change(event) : .keep
    }
}
