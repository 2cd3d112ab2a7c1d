import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct HostileInputTests {
    @Test func `hostile values are stored and delivered as valid JSON, without a trap`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: directory, destinations: [LineDestination()], transport: transport)
        )
        var values = HostileValues(seed: 50)

        for number in 1...2_000 {
            let parameters: EventParameters = ["number": .int(number), "value": values.next()]
            engine.lane(LineDestination().lane).track("hostile", parameters: parameters)
        }
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let lines = transport.requests.flatMap { $0.body.split(separator: UInt8(ascii: "\n")) }
        let invalid = lines.filter { (try? JSONSerialization.jsonObject(with: Data($0))) == nil }
        #expect(lines.count == 2_000)
        #expect(invalid.isEmpty)
        try await LedgerCheck.check(engine)
    }

    @Test func `an event above its destination's limit is counted, and the others are delivered`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        let destination = LineDestination(limits: BatchLimits(events: 10, bodyBytes: 10_000, eventBytes: 1_000))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )

        for size in [10, 2_000, 10] {
            let text = ParameterValue.string(String(repeating: "x", count: size))
            engine.lane(destination.lane).track("sized", parameters: ["text": text])
        }
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == 2)
        #expect(ledger.dropped == [.tooLarge: 1])
        try await LedgerCheck.check(engine)
    }

    @Test(arguments: [Int.min, -1, 0])
    func `a hostile budget or limit from a remote configuration is clamped`(number: Int) async throws {
        let budget = DeliveryBudget(
            events: number,
            bytes: number,
            age: .seconds(number == .min ? -1 : number),
            eventsAwaitingConsent: number,
            quarantinedEvents: number
        )
        let limits = BatchLimits(events: number, bodyBytes: number, framingBytes: number, eventBytes: number)
        let rates = TrackQuotas(sampling: ["a": .nan, "b": -1, "c": 1e308], eventsPerMinute: number)

        #expect(
            budget.events == 1 && budget.bytes == 1 && budget.eventsAwaitingConsent == 1
                && budget.quarantinedEvents == 1
        )
        #expect(budget.age == .seconds(1))
        #expect(limits.events == 1 && limits.bodyBytes == 1 && limits.framingBytes == 0 && limits.eventBytes == 1)
        #expect(rates.sampling == ["a": 1, "b": 0, "c": 1])
        #expect(rates.eventsPerMinute == 0)
    }

    @Test func `an engine with the smallest budgets drops and counts events, and continues`() async throws {
        let engine = DeliveryEngine(clock: TestClock(), capacity: 0)
        let transport = ScriptedTransport { _, _ in .fail(.timedOut) }
        // Events of a request in flight are not evicted, so these are tracked before the opening.
        for _ in 1...100 { engine.lane(LineDestination().lane).track("viewed", parameters: [:]) }
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [LineDestination()],
            transport: transport
        )
        configuration.budget = DeliveryBudget(
            events: 0,
            bytes: 0,
            age: .zero,
            eventsAwaitingConsent: 0,
            quarantinedEvents: 0
        )
        try await engine.open(configuration)
        await engine.storeBuffered()

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.accepted == 100)
        #expect(ledger.pending <= 1)
        try await LedgerCheck.check(engine)
    }
}
