import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct DeliveryEngineTests {
    @Test func `an open engine delivers tracked events in order`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: transport)
        )
        let lane = engine.lane(LineDestination().lane)

        for number in 1...5 { lane.track("viewed", parameters: ["number": .int(number)]) }
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let bodies = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let numbers = bodies.matches(of: /"number":(\d)/).map { String($0.1) }
        #expect(numbers == ["1", "2", "3", "4", "5"])
        try await LedgerCheck.check(engine)
    }

    @Test func `events that are tracked before the opening are delivered after it`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock(), capacity: 2)
        let lane = engine.lane(LineDestination().lane)
        for _ in 1...3 { lane.track("early", parameters: [:]) }

        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: transport)
        )
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.accepted == 3)
        #expect(ledger.delivered == 2)
        #expect(ledger.dropped == [.bufferFull: 1])
        try await LedgerCheck.check(engine)
    }

    @Test func `a receiver that is down loses nothing, and the same batch is sent again`() async throws {
        let clock = TestClock()
        let transport = ScriptedTransport { _, number in
            number <= 2 ? .fail(.connectionFailed(code: 111)) : .respond(HTTPResponse(status: 200))
        }
        let engine = DeliveryEngine(clock: clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: transport)
        )

        engine.lane(LineDestination().lane).track("viewed", parameters: ["a": 1])
        for _ in 1...2 { clock.advance(by: try #require(await diagnostics.nextRetry())) }
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(Set(transport.requests.map(\.body)).count == 1)
        #expect(Set(transport.requests.map(\.headers)).count == 1)
        try await LedgerCheck.check(engine)
    }

    @Test func `a second engine delivers the events that a closed one has left in its directory`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let down = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }
        let up = ScriptedTransport()
        let first = DeliveryEngine(clock: TestClock())
        try await first.open(
            DeliveryConfiguration(directory: directory, destinations: [LineDestination()], transport: down)
        )
        first.lane(LineDestination().lane).track("viewed", parameters: ["a": 1])
        await down.requests(count: 1)
        await first.close(timeout: .zero)

        let second = DeliveryEngine(clock: TestClock())
        try await second.open(
            DeliveryConfiguration(directory: directory, destinations: [LineDestination()], transport: up)
        )
        let report = await second.flush(timeout: .seconds(600))

        #expect(report.isDrained)
        #expect(up.requests.map(\.body) == down.requests.prefix(1).map(\.body))
        try await LedgerCheck.check(second)
    }
}
