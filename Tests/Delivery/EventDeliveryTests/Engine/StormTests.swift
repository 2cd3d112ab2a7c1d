import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct StormTests {
    @Test func `concurrent threads keep their own order, and events that do not fit are counted`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock(), capacity: 4_096)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: transport)
        )
        let lane = engine.lane(LineDestination().lane)

        await withTaskGroup(of: Void.self) { group in
            for thread in 1...64 {
                group.addTask {
                    for number in 1...500 {
                        lane.track("storm", parameters: ["thread": .int(thread), "number": .int(number)])
                    }
                }
            }
        }
        let report = await engine.flush(deadline: .seconds(5))

        #expect(report.isDrained)
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.accepted == 32_000)
        #expect(ledger.delivered + ledger.dropped[.bufferFull, default: 0] == 32_000)
        var last: [Int: Int] = [:]
        for (thread, number) in try events(in: transport) {
            #expect(number > last[thread, default: 0])
            last[thread] = number
        }
        try await LedgerCheck.check(engine)
    }

    @Test func `threads that track, flush and reset at once end with balanced ledgers`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [LineDestination()], transport: ScriptedTransport())
        )
        let lane = engine.lane(LineDestination().lane)

        await withTaskGroup(of: Void.self) { group in
            for _ in 1...8 { group.addTask { for _ in 1...200 { lane.track("storm", parameters: ["a": 1]) } } }
            for _ in 1...4 { group.addTask { for _ in 1...20 { _ = await engine.flush(deadline: .seconds(1)) } } }
            group.addTask { for number in 1...100 { engine.identify(user: "u\(number)") } }
            group.addTask { for _ in 1...100 { await engine.reset() } }
            group.addTask { for _ in 1...20 { _ = await engine.statistics() } }
        }
        await engine.close(deadline: .seconds(1))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.accepted == 1600)
        #expect(ledger.pending == 0)
    }

    private func events(in transport: ScriptedTransport) throws -> [(thread: Int, number: Int)] {
        try transport.requests.flatMap { request in
            try String(decoding: request.body, as: UTF8.self)
                .matches(of: /"thread":(\d+),"number":(\d+)/)
                .map { (try #require(Int($0.1)), try #require(Int($0.2))) }
        }
    }
}
