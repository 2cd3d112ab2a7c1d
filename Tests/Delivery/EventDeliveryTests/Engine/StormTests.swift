import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import EventTracking
import FeatureFlags
import Foundation
import ProfileUpdates
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
        let report = await engine.flush(timeout: .seconds(5))

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
            for _ in 1...4 { group.addTask { for _ in 1...20 { _ = await engine.flush(timeout: .seconds(1)) } } }
            group.addTask { for number in 1...100 { engine.user.identify("u\(number)") } }
            group.addTask { for _ in 1...100 { await engine.reset() } }
            group.addTask { for _ in 1...20 { _ = await engine.statistics() } }
        }
        await engine.close(timeout: .seconds(1))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.accepted == 1600)
        #expect(ledger.pending == 0)
    }

    @Test func `a storm of all calls on a directory ends with balanced ledgers`() async throws {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine()
        let transport = ScriptedTransport { _, number in
            number.isMultiple(of: 3) ? .respond(HTTPResponse(status: 503)) : .respond(HTTPResponse(status: 200))
        }
        let document = #"{"version": 1, "events": {"storm": {"sample": 0.5}}}"#
        try await engine.open(
            DeliveryConfiguration(directory: queue.url, destinations: [LineDestination()], transport: transport)
        )
        let id = LineDestination().lane
        let lane = engine.lane(id)
        let settings = ProductSettings("TR") { ["storefront": .string($0)] }
        let tracker = MockTracker()

        await withTaskGroup(of: Void.self) { group in
            func storm(_ count: Int, _ body: @escaping @Sendable (Int) async -> Void) {
                group.addTask { for number in 1...count { await body(number) } }
            }
            for _ in 1...4 { storm(200) { lane.track("storm", parameters: ["n": .int($0)]) } }
            storm(50) { number in _ = await lane.trackUntilStored("receipt", parameters: ["n": .int(number)]) }
            storm(100) { engine.user.identify("u\($0 % 5)", traits: ["n": .int($0)]) }
            storm(20) { try? await engine.setConsent(Consent.allCases[$0 % 3], for: .analytics) }
            storm(20) { _ = try? await engine.erase(user: "u\($0 % 5)") }
            storm(3) { _ in _ = try? await engine.eraseEverything() }
            storm(20) { _ in await engine.reset() }
            storm(20) { _ = await engine.flush(timeout: .milliseconds($0)) }
            storm(10) { _ in
                await engine.suspendStorage()
                await engine.resumeStorage()
            }
            storm(50) { engine.user.group(id: "g\($0)") }
            storm(50) {
                $0.isMultiple(of: 2) ? engine.hold(id, reason: .maintenance) : engine.release(id, reason: .maintenance)
            }
            storm(50) { try? settings.setFlag("checkout", "v\($0 % 3)", tracker: tracker, on: engine) }
            storm(20) { _ in await engine.resume() }
            storm(20) { _ in _ = await engine.statistics() }
            storm(20) { _ in _ = engine.recentEvents() }
            storm(10) { _ in _ = try? await engine.setQuotas(document: document.utf8) }
        }
        engine.release(id, reason: .maintenance)
        try await engine.setConsent(.granted, for: .analytics)
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        var isDrained = false
        for _ in 1...10 where !isDrained {
            await engine.resume()
            isDrained = await engine.flush(timeout: .seconds(5)).isDrained
        }

        #expect(isDrained)
        try await LedgerCheck.check(engine)
        await engine.close(timeout: .zero)
    }

    private func events(in transport: ScriptedTransport) throws -> [(thread: Int, number: Int)] {
        try transport.requests.flatMap { request in
            try String(decoding: request.body, as: UTF8.self)
                .matches(of: /"thread":(\d+),"number":(\d+)/)
                .map { (try #require(Int($0.1)), try #require(Int($0.2))) }
        }
    }
}
