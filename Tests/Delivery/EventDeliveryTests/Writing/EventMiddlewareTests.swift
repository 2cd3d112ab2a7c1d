import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventMiddlewareTests {
    private let destination = RecordingDestination(lane: LaneID(product: "T", service: "lines"))
    private let other = RecordingDestination(lane: LaneID(product: "T", service: "other"), purpose: .marketing)
    private let clock = TestClock()
    private let engine: DeliveryEngine

    init() {
        engine = DeliveryEngine(clock: clock)
    }

    @Test func `middleware runs in its order, and each step gets the event of the previous one`() async throws {
        try await open([Step("first") { $0.name += "1" }, Step("second") { $0.name += "2" }])

        track("viewed")
        await engine.storeBuffered()

        #expect(destination.events.map(\.name) == ["viewed12"])
        let ledger = await ledger()
        #expect(ledger.adjusted == ["middleware.first": 1, "middleware.second": 1])
    }

    @Test func `an event that a middleware drops is counted under its name and explained`() async throws {
        try await open([DebugFilter(), Step("later") { $0.name += "!" }])

        track("debug_tapped")
        track("viewed")
        // A strict event is stored at once, even while the writer waits for more events on the stopped clock.
        let receipt = await engine.lane(destination.lane)
            .trackUntilStored("debug_shown", parameters: [:], options: TrackOptions(durability: .strict))
        let dropped = try #require(engine.recentEvents(named: "debug_tapped").first)

        #expect(destination.events.map(\.name) == ["viewed!"])
        #expect(destination.events.map(\.sequence) == [1])
        #expect(receipt.dropReason == .middleware("debug_filter"))
        #expect(await engine.explain(dropped.id)?.status == .dropped(.middleware("debug_filter")))
        let statistics = try #require(await engine.statistics().first { $0.id == destination.lane })
        #expect(statistics.ledger.dropped == [DropReason("middleware.debug_filter"): 2])
        #expect(statistics.ledger.pending == 1)
        #expect(statistics.explanation == "2 events are dropped by the middleware debug_filter")
    }

    @Test func `a middleware for one lane keeps the events of others`() async throws {
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination, other],
            transport: ScriptedTransport()
        )
        configuration.middleware = [DebugFilter().only(on: [other.lane])]
        try await engine.open(configuration)

        for lane in [destination.lane, other.lane] { engine.lane(lane).track("debug_tapped", parameters: [:]) }
        await engine.storeBuffered()

        #expect(destination.events.map(\.name) == ["debug_tapped"])
        #expect(other.events.isEmpty)
    }

    @Test func `a middleware cannot change the id and the number of an event`() async throws {
        try await open([
            Step("forger") {
                $0.id = .stub(7)
                $0.sequence = 99
            }
        ])

        track("viewed")
        track("viewed")
        await engine.storeBuffered()

        #expect(destination.events.map(\.sequence) == [1, 2])
        #expect(destination.events.map(\.id) == engine.recentEvents().map(\.id).reversed())
    }

    @Test func `a middleware sees a sensitive value only as its policy allows`() async throws {
        let seen = Mutex<[EventParameters]>([])
        try await open([Step("reader") { event in seen.withLock { $0.append(event.parameters) } }])
        let mail = EventParameters.sensitive(Sensitive("ali@example.com"), as: "mail", policy: .pass(.marketing))

        for lane in [destination.lane, other.lane] { engine.lane(lane).track("signed_up", parameters: mail) }
        await engine.storeBuffered()

        #expect(seen.withLock { $0 } == [[:], ["mail": "ali@example.com"]])
    }

    @Test func `a sensitive value that a middleware adds is redacted before the next one sees it`() async throws {
        let mail = EventParameters.sensitive(Sensitive("ali@example.com"), as: "mail", policy: .drop)
        let seen = Mutex<[Bool]>([])
        try await open([
            Step("adder") { $0.parameters = $0.parameters.merging(mail) },
            Step("reader") { event in seen.withLock { $0.append(event.parameters.hasSensitive) } },
        ])

        track("viewed", ["a": 1])
        await engine.storeBuffered()

        #expect(destination.events.map(\.parameters) == [["a": 1]])
        #expect(seen.withLock { $0 } == [false])
    }

    @Test func `an event that a middleware gives too many parameters is counted as lost`() async throws {
        try await open([
            Step("flood") { event in
                for number in 0...EventParameters.maximumCount {
                    event.parameters[ParameterKey("k\(number)")] = 1
                }
            }
        ])

        track("viewed")
        await engine.storeBuffered()

        #expect(await ledger().dropped == [.tooManyParameters: 1])
    }

    private func track(_ name: String, _ parameters: EventParameters = [:]) {
        engine.lane(destination.lane).track(name, parameters: parameters)
    }

    private func ledger() async -> LaneLedger {
        await engine.statistics().first { $0.id == destination.lane }?.ledger ?? LaneLedger()
    }

    private func open(_ middleware: [any EventMiddleware]) async throws {
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [destination, other],
            transport: ScriptedTransport { _, _ in .hang }
        )
        configuration.middleware = middleware
        try await engine.open(configuration)
    }
}

/// Drops the events of developers.
struct DebugFilter: EventMiddleware {
    let name = "debug_filter"

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        event.name.hasPrefix("debug_") ? .drop : .keep
    }
}

/// A middleware with a body, which changes the event.
private struct Step: EventMiddleware {
    let name: String
    let body: @Sendable (inout OutgoingEvent) -> Void

    init(_ name: String, body: @escaping @Sendable (inout OutgoingEvent) -> Void) {
        self.name = name
        self.body = body
    }

    func process(_ event: OutgoingEvent, on lane: LaneID) -> MiddlewareResult {
        var changed = event
        body(&changed)
        return changed == event ? .keep : .change(changed)
    }
}
