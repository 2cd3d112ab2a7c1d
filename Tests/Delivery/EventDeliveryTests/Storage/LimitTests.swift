import CoreTracker
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@testable import EventDelivery
@testable import EventDeliveryScenes
@testable import EventOutbox

/// Tests of limits that hold where a row is created and where it is read.
@Suite(.timeLimit(.minutes(5))) struct LimitTests {
    private let queue: TemporaryQueue

    init() throws { queue = try TemporaryQueue() }

    @Test func `events of lanes beyond the maximum are counted and explained, and no stored event is lost`()
        async throws
    {
        let engine = try await GrantedEngine.open(queue.url)
        for number in 1...1_100 {
            engine.lane(LaneID(product: "P\(number)", service: "s")).track("viewed", parameters: [:])
        }
        GrantedEngine.track("KEPT", by: engine)
        await engine.storeBuffered()

        let refused = try #require(await engine.statistics().first { $0.id == BufferLanes.refused })
        let accepted = await engine.statistics().reduce(0) { $0 + $1.ledger.accepted }
        await engine.close(timeout: .zero)
        let next = try await GrantedEngine.open(queue.url)
        let pending = await next.statistics().reduce(0) { $0 + $1.ledger.pending }

        #expect(refused.ledger.dropped == [.tooManyLanes: 77])
        #expect(refused.explanation?.hasPrefix("77 events are dropped, because there are more than 1024 lanes") == true)
        #expect(accepted == 1_103)
        #expect(pending == 3)
        #expect(!queue.files.contains { $0.hasPrefix("corrupt-") })
        await next.close(timeout: .zero)
    }

    @Test func `a lane with a name that no reader accepts is refused`() async throws {
        let engine = try await GrantedEngine.open(queue.url)
        let name = String(repeating: "n", count: 1_025)
        engine.lane(LaneID(product: name, service: "s")).track("viewed", parameters: [:])
        await engine.storeBuffered()

        #expect(await engine.statistics().first { $0.id.product == name } == nil)
        #expect(
            await engine.statistics().first { $0.id == BufferLanes.refused }?.ledger.dropped == [.tooManyLanes: 1]
        )
        await engine.close(timeout: .zero)
    }

    @Test func `reasons with names that no reader accepts are counted as other ones, and the lane's row stays valid`()
        throws
    {
        var lane = StoredLane(number: 1, id: LineDestination().lane)
        for number in 1...2_000 { lane.ledger.drop(1, .rule("rule_\(number)")) }
        lane.ledger.drop(1, .rule(String(repeating: "r", count: 70_000)))
        lane.ledger.drop(1, .rule("a\tb\n"))
        for number in 1...2_000 { lane.ledger.adjust(1, "rule_\(number)") }
        lane.ledger.accepted = 2_002
        var change = OutboxChange()
        change.save(lanes: [lane])
        let outbox = try queue.outbox()
        try outbox.commit(change, barrier: true)
        outbox.close()

        let found = try #require(try queue.rows().lanes.first)

        #expect(found == lane)
        #expect(found.ledger.dropped[.other] == 1_802)
        #expect(found.ledger.pending == 0)
    }

    @Test func `a configuration beyond a limit is refused`() async throws {
        let long = LaneID(product: String(repeating: "n", count: 1_025), service: "s")
        let engine = DeliveryEngine(clock: TestClock())

        await #expect(throws: EngineError.nameTooLong(long)) {
            try await engine.open(GrantedEngine.configuration(queue.url, nil, [LineDestination(lane: long)]))
        }
        let many = (1...1_025).map { LineDestination(lane: LaneID(product: "P\($0)", service: "s")) }
        await #expect(throws: EngineError.tooManyDestinations(1_025)) {
            try await engine.open(GrantedEngine.configuration(queue.url, nil, many))
        }
    }

    @Test func `a row of a lane without destination, events and recent delivery is deleted at the next start`()
        async throws
    {
        let old = LineDestination(lane: LaneID(product: "T", service: "old"))
        let unused = LaneID(product: "T", service: "unused")
        let first = try await GrantedEngine.open(queue.url, ScriptedTransport(), [LineDestination(), old])
        first.lane(unused).track("viewed", parameters: [:])
        first.lane(old.lane).track("viewed", parameters: [:])
        _ = await first.flush(timeout: .seconds(30))
        await first.close(timeout: .zero)
        let before = Set(try queue.rows().lanes.map(\.id))

        let second = try await GrantedEngine.open(queue.url)
        await second.close(timeout: .zero)
        let after = Set(try queue.rows().lanes.map(\.id))

        #expect(before == [LineDestination().lane, old.lane, unused])
        // The other lane has delivered an event recently.
        #expect(after == [LineDestination().lane, old.lane])
    }

    @Test func `an event with a batch key that no reader accepts is refused and counted`() async throws {
        let destination = LongKeyDestination()
        let engine = try await GrantedEngine.open(queue.url, nil, [destination])
        engine.lane(destination.lane).track("viewed", parameters: [:])
        await engine.storeBuffered()

        #expect(await engine.statistics().first?.ledger.dropped == [.tooLarge: 1])
        await engine.close(timeout: .zero)
    }

    @Test func `events awaiting consent are limited in total`() async throws {
        let lanes = (1...5).map { LineDestination(lane: LaneID(product: "P\($0)", service: "s")) }
        var configuration = GrantedEngine.configuration(queue.url, nil, lanes)
        (configuration.consent, configuration.defaultConsent) = ([:], .unknown)
        configuration.budget.eventsAwaitingConsent = 10
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration)
        for number in 0..<50 { engine.lane(lanes[number % 5].lane).track("viewed", parameters: [:]) }
        await engine.storeBuffered()
        for number in 0..<50 { engine.lane(lanes[number % 5].lane).track("viewed", parameters: [:]) }
        await engine.storeBuffered()

        let ledgers = await engine.statistics().map(\.ledger)
        #expect(ledgers.reduce(0) { $0 + $1.pending } == 10)
        #expect(ledgers.reduce(0) { $0 + ($1.dropped[.consentBudget] ?? 0) } == 90)
        await engine.close(timeout: .zero)
    }

    @Test func `an id that is too long is neither hashed nor used, and a diagnostic reports it`() async throws {
        let engine = try await GrantedEngine.open(queue.url)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        let long = String(repeating: "u", count: 4_097)
        engine.user.identify("ali")
        let session = engine.identity.sessionID

        engine.user.identify(long)
        engine.startSession(id: long)
        let reason = await withTracking(user: long) {
            await engine.lane(LineDestination().lane).trackUntilStored("viewed").dropReason
        }

        #expect(engine.identity.userID == nil)
        #expect(engine.identity.sessionID != session && engine.identity.sessionID != long)
        #expect(reason == .idTooLong)
        #expect(await diagnostics.next { $0 == .idTooLong } != nil)
        #expect(try await engine.erase(user: long) == 0)
        await engine.close(timeout: .zero)
    }

    @Test func `a decision about a purpose beyond the maximum is not stored, and the call reports it`() async throws {
        let engine = try await GrantedEngine.open(queue.url)
        let long = ConsentPurpose(String(repeating: "p", count: 1_025))
        await #expect(throws: DecisionError.notStored(.beyondLimit)) {
            try await engine.setConsent(.denied, for: long)
        }
        for number in 1...1_023 { try await engine.setConsent(.granted, for: ConsentPurpose("p\(number)")) }
        await #expect(throws: DecisionError.notStored(.beyondLimit)) {
            try await engine.setConsent(.granted, for: ConsentPurpose("p1024"))
        }
        try await engine.setConsent(.denied, for: .analytics)
        await engine.close(timeout: .zero)

        #expect(try queue.rows().state?.decisions.count == 1_024)
    }
}

/// A destination whose batch keys are too long.
private struct LongKeyDestination: DestinationWrapper {
    let base: any Destination = LineDestination()

    func batchKey(of event: OutgoingEvent) -> String { String(repeating: "k", count: 32_769) }
}
