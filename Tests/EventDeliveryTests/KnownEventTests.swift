import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@Suite struct KnownEventTests {
    @Test func `an engine that is not open knows no event`() async {
        #expect(await DeliveryEngine().knownEvents(limit: 3) == [])
    }

    @Test func `stored events are named oldest first, as many as asked for`() async throws {
        let transport = ScriptedTransport { _, _ in .hang }
        let (engine, lane) = try await KnownEventTests.engine(transport)
        for number in 1...5 { lane.track("viewed", parameters: ["number": .int(number)]) }
        await engine.persist()
        await transport.requests(count: 1)

        let events = await engine.knownEvents(limit: 3)

        #expect(events.count == 3)
        #expect(events.map(\.id) == events.map(\.id).sorted())
        for event in events { #expect(await engine.explain(event.id) == event.explanation) }
        await engine.close(deadline: .zero)
    }

    @Test func `delivered and dropped events are named, the last one first`() async throws {
        let (engine, lane) = try await KnownEventTests.engine(ScriptedTransport())
        lane.track("viewed", parameters: [:])
        _ = await engine.flush(deadline: .seconds(5))
        lane.track("", parameters: [:])
        _ = await engine.flush(deadline: .seconds(5))

        let fates = await engine.knownEvents(limit: 3).map(\.explanation.fate)

        #expect(fates == [.dropped(.rule("name_empty")), .delivered])
    }

    @Test func `an event that is put back from quarantine is no longer explained by its refusal`() async throws {
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 422)) }
        let (engine, lane) = try await KnownEventTests.engine(transport)
        let receipt = await lane.track("viewed", parameters: [:], until: .persisted)
        _ = await engine.flush(deadline: .seconds(5))
        let refused = await engine.knownEvents(limit: 3)
        transport.setScript { _, _ in .hang }

        await engine.retryQuarantined([receipt.id])
        let explanation = await engine.explain(receipt.id)

        #expect(refused.count == 1 && refused.first?.id == receipt.id)
        guard case .quarantined = refused.first?.explanation.fate else { return #expect(refused.isEmpty) }
        switch explanation?.fate {
        case .queued, .sending: break
        default: Issue.record("explained as \(String(describing: explanation))")
        }
        await engine.close(deadline: .zero)
    }

    private static func engine(_ transport: ScriptedTransport) async throws -> (DeliveryEngine, DeliveryLane) {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: transport)
        )
        return (engine, engine.lane(LineDestination().lane))
    }
}
