import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import EventDeliveryScenes

@Suite(.timeLimit(.minutes(5))) struct EngineLifeCycleTests {
    private let lane = LineDestination().lane

    @Test func `an engine that is never opened buffers events and sends nothing, and its calls return`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 3)

        for _ in 1...5 { engine.lane(lane).track("viewed", parameters: [:]) }
        let report = await engine.flush(timeout: .seconds(1))

        #expect(report.lanes.map(\.outcome) == [.notOpen])
        #expect(report.lanes.map(\.pending) == [3])
        let statistics = try #require(await engine.statistics().first)
        #expect(statistics.ledger.dropped == [.bufferFull: 2])
        #expect(
            statistics.explanation
                == "3 events are only in memory, because the engine was never opened: "
                + "call open(_:) when the program starts"
        )
        try await LedgerCheck.check(engine)
    }

    @Test func `the longest deadlines end no process`() async throws {
        let harness = LaneHarness()
        try await harness.open()
        harness.track(1...1)

        let flushed = await harness.engine.flush(timeout: .seconds(Int64.max))
        let closed = await harness.engine.close(timeout: .seconds(Int64.max))

        #expect(flushed.isDrained && closed.isDrained)
    }

    @Test func `limits of a budget that are set later keep their ranges`() {
        var budget = DeliveryBudget()

        (budget.events, budget.bytes, budget.eventsAwaitingConsent) = (0, -1, .min)
        (budget.quarantinedEvents, budget.quarantinedBytes, budget.age) = (0, 0, .zero)

        let least = DeliveryBudget(
            events: 1,
            bytes: 1,
            age: .seconds(1),
            eventsAwaitingConsent: 1,
            quarantinedEvents: 1,
            quarantinedBytes: 1
        )
        #expect(budget == least)
        budget.age = .seconds(Int64.max)
        #expect(budget.age * 10 > budget.age)
    }

    @Test func `opening twice, and two destinations for one lane, are refused`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let twice = DeliveryConfiguration(
            directory: nil,
            destinations: [LineDestination(), LineDestination()],
            transport: ScriptedTransport()
        )

        await #expect(throws: EngineError.duplicateLane(lane)) { try await engine.open(twice) }
        try await engine.open(configuration(ScriptedTransport()))
        await #expect(throws: EngineError.alreadyOpen) {
            try await engine.open(configuration(ScriptedTransport()))
        }
    }

    @Test func `each error of opening has a one-line description`() {
        let texts = [EngineError.duplicateLane(lane), .alreadyOpen, .closed].map(\.description)

        #expect(Set(texts).count == 3)
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("\n") })
    }

    @Test func `a flush without any time returns at once, however its timer is scheduled`() async throws {
        let transport = ScriptedTransport { _, _ in .hang }
        let engine = DeliveryEngine()
        try await engine.open(configuration(transport))
        engine.lane(lane).track("viewed", parameters: [:])
        await transport.requests(count: 1)

        var outcomes: [FlushReport.Outcome] = []
        for _ in 1...1_000 { outcomes += await engine.flush(timeout: .zero).lanes.map(\.outcome) }
        await engine.close(timeout: .zero)

        #expect(outcomes.count == 1_000 && outcomes.allSatisfy { $0 == .timedOut })
    }

    @Test func `closing against a receiver that never responds returns by its deadline and keeps everything`()
        async throws
    {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let clock = TestClock()
        let transport = ScriptedTransport { _, _ in .hang }
        let engine = DeliveryEngine(clock: clock)
        try await engine.open(configuration(transport, directory))
        engine.lane(lane).track("viewed", parameters: ["a": 1])
        await transport.requests(count: 1)

        async let closing = engine.close(timeout: .seconds(2))
        _ = await clock.nextSleep { $0 == .seconds(2) }
        clock.advance(by: .seconds(2))
        let report = await closing

        #expect(report.lanes.map(\.outcome) == [.timedOut])
        let next = DeliveryEngine(clock: TestClock())
        try await next.open(configuration(ScriptedTransport(), directory))
        #expect(await next.flush(timeout: .seconds(1)).isDrained)
        #expect(await next.statistics().map(\.ledgerSinceOpening.delivered) == [1])
        try await LedgerCheck.check(next)
    }

    @Test func `closing twice reports once, and events that are tracked afterwards are counted as closed`()
        async throws
    {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(ScriptedTransport()))
        engine.lane(lane).track("viewed", parameters: [:])

        async let first = engine.close(timeout: .seconds(1))
        async let second = engine.close(timeout: .seconds(1))
        let reports = await [first, second]
        engine.lane(lane).track("late", parameters: [:])
        let receipt = await engine.lane(lane).trackUntilStored("late", parameters: [:])

        #expect(reports[0] == reports[1])
        #expect(receipt.dropReason == .closed)
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == 1)
        #expect(ledger.dropped == [.closed: 2])
    }

    @Test func `an event that is tracked from inside a delivery is delivered too`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        let entry = engine.lane(lane)
        let transport = ScriptedTransport { _, number in
            if number == 1 { entry.track("inner", parameters: [:]) }
            return .respond(HTTPResponse(status: 200))
        }
        try await engine.open(configuration(transport))

        entry.track("outer", parameters: [:])
        await transport.requests(count: 2)
        let report = await engine.flush(timeout: .seconds(1))

        #expect(report.isDrained)
        #expect(transport.requests.count == 2)
        try await LedgerCheck.check(engine)
    }

    @Test func `events that are tracked from an encoding and from a diagnostics listener are delivered too`()
        async throws
    {
        let engine = DeliveryEngine(clock: TestClock())
        let entry = engine.lane(lane)
        let transport = ScriptedTransport()
        let destination = EchoingDestination(entry: entry)
        let listening = Task { [diagnostics = engine.diagnostics()] in
            for await case .opened in diagnostics { entry.track("heard", parameters: [:]) }
        }
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport))

        entry.track("outer", parameters: [:])
        _ = await engine.flush(timeout: .seconds(1))
        await engine.close(timeout: .seconds(1))
        await listening.value

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.pending == 0)
        #expect(ledger.accepted >= 2)
        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(bodies.contains("outer") && bodies.contains("echo"))
    }

    @Test func `a flush whose task is cancelled returns at once, and leaves the pending events`() async throws {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let transport = ScriptedTransport { _, _ in .hang }
        try await engine.open(configuration(transport))
        engine.lane(lane).track("viewed", parameters: [:])
        await transport.requests(count: 1)

        let flushing = Task { await engine.flush(timeout: .seconds(60)) }
        _ = await clock.nextSleep { $0 > .seconds(50) && $0 < .seconds(2_000) }
        flushing.cancel()
        let report = await flushing.value

        #expect(report.lanes.map(\.outcome) == [.timedOut])
        #expect(report.lanes.map(\.pending) == [1])
    }

    @Test func `a closed engine stores no decision, also if it was never opened`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        await engine.close(timeout: .zero)

        for consent in [Consent.granted, .denied] {
            await #expect(throws: DecisionError.notStored(.notOpen)) {
                try await engine.setConsent(consent, for: .analytics)
            }
        }
    }

    @Test func `opening a closed engine throws an error`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(ScriptedTransport()))
        await engine.close(timeout: .zero)

        await #expect(throws: EngineError.closed) { try await engine.open(configuration(ScriptedTransport())) }
    }

    @Test func `an engine that runs in a task is closed when the task is cancelled`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        let configuration = configuration(transport)
        var diagnostics = engine.diagnostics().makeAsyncIterator()

        let running = Task { try await engine.run(configuration) }
        _ = await diagnostics.next { if case .opened = $0 { true } else { false } }
        engine.lane(lane).track("viewed", parameters: [:])
        running.cancel()
        try await running.value

        #expect(transport.requests.count == 1)
        let receipt = await engine.lane(lane).trackUntilStored("late", parameters: [:])
        #expect(receipt.dropReason == .closed)
    }

    @Test func `a hundred flushes at once send each event once`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(transport))

        await withTaskGroup(of: Bool.self) { group in
            for number in 1...100 {
                group.addTask { [lane] in
                    engine.lane(lane).track("viewed", parameters: ["number": .int(number)])
                    return await engine.flush(timeout: .seconds(5)).isDrained
                }
            }
            for await isDrained in group { #expect(isDrained) }
        }

        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(bodies.matches(of: /"number":(\d+)/).count == 100)
        try await LedgerCheck.check(engine)
    }

    @Test func `sampling leaves whole sessions out, and a rate cap counts the events that it refuses`() async throws {
        var configuration = configuration(ScriptedTransport())
        configuration.quotas = TrackQuotas(sampling: ["scrolled": 0], eventsPerMinute: 2)
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration)

        engine.lane(lane).track("scrolled", parameters: [:])
        for _ in 1...3 { engine.lane(lane).track("viewed", parameters: [:]) }
        await engine.storeBuffered()

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.dropped == [.sampledOut: 1, .rateCapped: 1])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: [false, true]) func `a tool that closes the engine loses no event, also if its work fails`(
        fails: Bool
    ) async throws {
        let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport())

        try? await runTool(configuration(transport), on: engine) {
            engine.lane(lane).track("viewed", parameters: [:])
            if fails { throw CancellationError() }
        }

        #expect(await engine.statistics().map(\.ledger.delivered) == [1])
    }

    private func configuration(_ transport: ScriptedTransport, _ directory: URL? = nil) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: [LineDestination()], transport: transport)
    }
}

/// Runs a tool, and closes the engine at its end.
func runTool(
    _ configuration: DeliveryConfiguration,
    on engine: DeliveryEngine = .shared,
    work: () async throws -> Void
) async throws {
    try await engine.open(configuration)
    let result: Result<Void, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    let report = await engine.close(timeout: .seconds(5))
    if !report.isDrained || report.droppedTotal > 0 { print(report) }
    try result.get()
}

/// A destination that tracks another event while it encodes one.
private struct EchoingDestination: DestinationWrapper {
    let entry: DeliveryLane
    let base: any Destination = LineDestination()

    init(entry: DeliveryLane) {
        self.entry = entry
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        if event.name == "outer" { entry.track("echo", parameters: [:]) }
        try base.encode(event, into: &encoder)
    }
}
