import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import ProfileUpdates
import Testing

@testable import EventDeliveryScenes

/// Tests of traits, groups and aliases from the call to the destination.
@Suite(.timeLimit(.minutes(2))) struct ProfileUpdateTests: UpdateSuite {
    let scene = UpdateScene()

    @Test func `an update reaches the lanes that support it, and the others accept nothing`() async throws {
        try await open()

        engine.user.identify("ada", traits: ["plan": "gold"])
        engine.user.group(id: "g-7", traits: ["seats": 25])
        engine.user.group(id: "g-8")
        engine.user.alias(from: "before", to: "eva")
        await engine.storeBuffered()

        #expect(all.events.map(\.update) == [.traits, .group, .group, .alias])
        #expect(all.events.map(\.name) == ["$identify", "$group", "$group", "$alias"])
        #expect(
            all.events.map(\.parameters) == [
                ["plan": "gold"], ["group_id": "g-7", "traits": ["seats": 25]], ["group_id": "g-8"],
                ["previous_id": "before"],
            ]
        )
        #expect(all.events.map(\.identity.userID) == ["ada", "ada", "ada", "eva"])
        #expect(traits.events.map(\.update) == [.traits])
        #expect(events.events.isEmpty)
        #expect(engine.identity.userID == "ada")
        #expect(await accepted() == [all.lane: 4, traits.lane: 1, events.lane: 0])
        try await LedgerCheck.check(engine)
    }

    @Test func `updates and events of one lane keep their order`() async throws {
        try await open()

        track("first")
        engine.user.identify("ada", traits: ["plan": "gold"])
        track("second")
        engine.user.setTraits(["plan": "free"])
        await engine.storeBuffered()

        #expect(all.events.map(\.name) == ["first", "$identify", "second", "$identify"])
        #expect(all.events.map(\.sequence) == [1, 2, 3, 4])
        #expect(all.events.map(\.identity.userID) == [nil, "ada", "ada", "ada"])
    }

    @Test func `an update before the opening waits for its lanes with its own time and user`() async throws {
        let called = clock.wallTime()
        engine.user.identify("ada", traits: ["plan": "gold"])
        engine.user.setTraits([:])
        engine.user.identify("eva")
        clock.advance(by: .seconds(5))

        let before = await engine.statistics()
        try await open()
        await engine.storeBuffered()

        #expect(before.isEmpty)
        for destination in [all, traits] {
            let update = try #require(destination.events.first)
            #expect(destination.events.count == 1)
            #expect(update.time == called)
            #expect(update.identity.userID == "ada")
            #expect(update.identity.deviceID == engine.identity.deviceID && !update.identity.deviceID.isEmpty)
        }
    }

    @Test func `updates beyond those that may wait are counted on the lanes that support them`() async throws {
        for number in 0..<300 { engine.user.identify("ada", traits: ["n": .int(number)]) }
        for number in 0..<10 { engine.user.group(id: "\(number)") }

        try await open()
        await engine.storeBuffered()

        #expect(await dropped() == [all.lane: [.bufferFull: 54], traits.lane: [.bufferFull: 54], events.lane: [:]])
        #expect(await accepted() == [all.lane: 310, traits.lane: 300, events.lane: 0])
        try await LedgerCheck.check(engine)
    }

    @Test func `the outcomes count as many updates before the opening as the ledger`() async throws {
        let outcomes = engine.outcomes()
        for number in 0..<300 { engine.user.identify("ada", traits: ["n": .int(number)]) }

        try await open([all])
        await engine.storeBuffered()
        let ledger = try #require(await engine.statistics().first).ledger
        await engine.close(timeout: .zero)

        var counts: [EventOutcome.Kind: Int] = [:]
        for await outcome in outcomes { counts[outcome.kind, default: 0] += outcome.count }
        #expect(counts[.accepted] == ledger.accepted)
        #expect(counts[.dropped(.bufferFull)] == ledger.dropped[.bufferFull])
    }

    @Test func `in a scope whose user has an id that is too long, an update changes nobody's profile`() async throws {
        try await open()
        engine.user.identify("ada")

        withTracking(user: String(repeating: "x", count: 5_000)) {
            engine.user.setTraits(["plan": "gold"])
            engine.user.group(id: "g-7")
            engine.user.identify("eva", traits: ["plan": "free"])
        }
        await engine.storeBuffered()

        #expect(all.events.map(\.identity.userID) == ["eva"])
        #expect(await dropped()[all.lane] == [.idTooLong: 2])
        #expect(await accepted()[all.lane] == 3)
    }

    @Test func `quotas do not apply to an update before the opening`() async throws {
        engine.user.identify("ada", traits: ["plan": "gold"])
        _ = try? await engine.setQuotas(document: #"{"version": 1, "lanes": {"T/all": {"sample": 0}}}"#.utf8)

        try await open([all])
        try await engine.setQuotas(document: #"{"version": 1, "lanes": {"T/all": {"off": true}}}"#.utf8)
        await engine.storeBuffered()

        #expect(all.events.map(\.update) == [.traits])
        #expect(await dropped()[all.lane] == [:])
    }

    @Test func `an engine without a lane for updates counts nothing`() async throws {
        engine.user.identify("ada", traits: ["plan": "gold"])
        try await open([events])
        engine.user.group(id: "g-7")
        await engine.storeBuffered()

        #expect(await accepted() == [events.lane: 0])
        #expect(engine.identity.userID == "ada")
    }

    @Test func `an update after the engine is closed is counted as lost`() async throws {
        try await open()
        await engine.close(timeout: .zero)

        engine.user.identify("ada", traits: ["plan": "gold"])

        #expect(await dropped()[all.lane] == [.closed: 1])
    }

    @Test func `unchanged traits are not sent again, changed ones are`() async throws {
        try await open()

        for traits: Traits in [
            ["plan": "gold", "city": "Łódź"], ["plan": "gold", "city": "Łódź"], ["city": "Łódź"], ["plan": "free"],
            ["plan": "gold"],
        ] { engine.user.identify("ada", traits: traits) }
        engine.user.identify("eva", traits: ["plan": "gold"])
        for seats in [1, 1, 2] { engine.user.group(id: "g", traits: ["seats": .int(seats)]) }
        for _ in 1...2 { engine.user.alias(from: "before", to: "eva") }
        await engine.storeBuffered()

        #expect(
            traits.events.map(\.parameters) == [
                ["plan": "gold", "city": "Łódź"], ["plan": "free"], ["plan": "gold"], ["plan": "gold"],
            ]
        )
        #expect(all.events.map(\.update).suffix(3) == [.group, .group, .alias])
        #expect(await accepted() == [all.lane: 7, traits.lane: 4, events.lane: 0])
    }

    @Test func `an operation is sent at each call, and so is a value after it`() async throws {
        try await open()
        let calls: [Traits] = [["n": 1], ["n": .increment()], ["n": .increment()], ["n": 1], ["n": 1]]

        for traits in calls { engine.user.identify("ada", traits: traits) }
        for _ in 1...2 { engine.user.group(id: "g", traits: ["seats": .increment()]) }
        await engine.storeBuffered()

        let one: EventParameters = ["n": ["$increment": 1]]
        #expect(traits.events.map(\.parameters) == [["n": 1], one, one, ["n": 1]])
        #expect(all.events.suffix(2).map(\.update) == [.group, .group])
        try await LedgerCheck.check(engine)
    }

    @Test func `nil removes a trait once, and a later value sets it again`() async throws {
        try await open()
        let absent: String? = nil

        engine.user.identify("ada", traits: ["plan": "gold", "phone": "1"])
        for removal: Traits in [["phone": nil], [EventParameter("phone", absent)], Traits().merging(["phone": nil])] {
            engine.user.setTraits(removal)
        }
        engine.user.setTraits(Traits(["phone": "2", "plan": "gold"]))
        engine.user.group(id: "g", traits: ["seats": nil])
        await engine.storeBuffered()

        #expect(traits.events.map(\.removedTraits) == [[], ["phone"], []])
        #expect(traits.events.map(\.parameters.count) == [2, 0, 2])
        #expect(all.events.map(\.removedTraits) == [[], ["phone"], [], ["seats"]])
        try await LedgerCheck.check(engine)
    }

    @Test func `a nil of a name that is not declared is counted, also in a nested object`() async throws {
        try await open()
        let absent: Int? = nil
        let lane = engine.lane(events.lane)

        lane.track("a", parameters: [EventParameter("n", absent), EventParameter("m", absent)])
        lane.track("b", parameters: ["item": .object([EventParameter("n", absent)])])
        lane.track("c", parameters: [EventParameter("n", 1)])
        lane.track("d", parameters: [EventParameter.Key<Int>("n")(absent)])
        await engine.storeBuffered()

        let statistics = await engine.statistics()
        #expect(statistics.first { $0.id == events.lane }?.ledger.adjusted == ["value_nil": 2])
    }

    @Test func `after a reset, the traits of the same user are sent for the new installation`() async throws {
        try await open()

        engine.user.identify("ada", traits: ["plan": "gold"])
        await engine.reset()
        engine.user.identify("ada", traits: ["plan": "gold"])
        await engine.storeBuffered()

        #expect(Set(traits.events.map(\.identity.deviceID)).count == 2)
    }

    @Test func `traits that did not fit the buffer are sent by the next equal call`() async throws {
        let (engine, gate) = (DeliveryEngine(clock: clock, capacity: 2), WriterGate())
        try await open(middleware: [gate], on: engine)
        // The capacity of this event is free when the writer has stored it, so only one lane's update fits.
        engine.lane(events.lane).track("held")
        await gate.isReached.wait()
        engine.user.identify("ada", traits: ["plan": "gold"])
        gate.open()
        await engine.storeBuffered()
        let first = (all.events.count, traits.events.count)
        engine.user.identify("ada", traits: ["plan": "gold"])
        await engine.storeBuffered()

        #expect(first == (1, 0))
        #expect(await dropped(by: engine)[traits.lane] == [.bufferFull: 1])
        #expect((all.events.count, traits.events.count) == (2, 1))
        try await LedgerCheck.check(engine)
    }

    @Test func `stored updates are delivered once after a crash`() async throws {
        let queue = try TemporaryQueue()
        try await open([lines()], directory: queue.url, UpdateScene.unreachable)
        engine.user.identify("ada", traits: ["plan": "gold"])
        engine.user.alias(from: "before", to: "ada")
        await engine.storeBuffered()
        let crashed = try queue.copy()
        await engine.close(timeout: .zero)

        let (next, transport) = (DeliveryEngine(clock: clock), ScriptedTransport())
        try await open([lines()], directory: crashed.url, transport, on: next)
        let report = await next.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(transport.sentText.matches(of: /"name":"\$(identify|alias)"/).count == 2)
        try await LedgerCheck.check(next)
        await next.close(timeout: .zero)
    }

    @Test func `two callers at once leave the same order on all lanes, and the last value is known`() async throws {
        let engine = DeliveryEngine(clock: clock, capacity: 65_536)
        try await open(on: engine)

        await withTaskGroup { group in
            for caller in 0..<2 {
                group.addTask {
                    for number in 0..<2_000 { engine.user.setTraits(["plan": .int((number + caller) % 3)]) }
                }
            }
        }
        await engine.storeBuffered()
        let sent = traits.events.map(\.parameters)
        engine.user.setTraits(Traits(try #require(sent.last)))
        await engine.storeBuffered()

        #expect(sent.count >= 2_000)
        #expect(all.events.map(\.parameters) == sent)
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $0 != $1 })
        #expect(traits.events.count == sent.count)
        try await LedgerCheck.check(engine)
    }

    @Test func `calls while the engine opens are sent once and in order`() async throws {
        let engine = engine
        await withTaskGroup { group in
            group.addTask { for number in 0..<200 { engine.user.setTraits(["n": .int(number)]) } }
            group.addTask { try? await open() }
        }
        await engine.storeBuffered()

        #expect(traits.events.map(\.parameters) == (0..<200).map { ["n": .int($0)] })
        #expect(all.events.map(\.parameters) == traits.events.map(\.parameters))
    }

    @Test func `in a scope, updates are of its user and have none of its parameters`() async throws {
        try await open()
        engine.user.identify("engine")

        withTracking(user: "ada", session: "s1", parameters: ["route": "/basket"]) {
            engine.user.setTraits(["plan": "gold"])
            engine.user.group(id: "g-7")
        }
        await engine.storeBuffered()

        #expect(all.events.map(\.identity.userID) == ["ada", "ada"])
        #expect(all.events.map(\.identity.sessionID) == ["s1", "s1"])
        #expect(all.events.map(\.mergedParameters) == [["plan": "gold"], ["group_id": "g-7"]])
        #expect(engine.identity.userID == "engine")
    }

    @Test func `sampling and rates do not limit updates, and a middleware cannot change their kind`() async throws {
        let quotas = TrackQuotas(sampling: ["$identify": 0], eventsPerMinute: 1)
        try await open(quotas: quotas, middleware: [Renamer()])

        for number in 0..<3 { engine.user.setTraits(["n": .int(number)]) }
        await engine.storeBuffered()

        #expect(all.events.map(\.update) == [.traits, .traits, .traits])
        #expect(all.events.map(\.name) == ["renamed", "renamed", "renamed"])
    }

    @Test func `an update with too many parameters is counted`() async throws {
        try await open()

        engine.user.setTraits(Traits(.numbered(EventParameters.maximumCount + 1)))

        #expect(await dropped()[all.lane] == [.tooManyParameters: 1])
        try await LedgerCheck.check(engine)
    }
}

/// A middleware in which the writer waits, from the first event on, until the gate is opened.
private final class WriterGate: EventMiddleware {
    let name = "gate"
    let isReached = WakeSignal()
    private let opening = DispatchSemaphore(value: 0)

    func open() { opening.signal() }

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        if event.name == "held" {
            isReached.signal()
            opening.wait()
        }
        return .keep
    }
}

private struct Renamer: EventMiddleware {
    let name = "renamer"

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        var event = event
        (event.name, event.update) = ("renamed", nil)
        return .change(event)
    }
}
