import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import EventTracking

@Suite(.timeLimit(.minutes(5))) struct RecentEventsTests {
    @Test func `the latest events are listed by name and lane, and each can be explained`() async throws {
        let destination = RecordingDestination(lane: .firebase(product: "DL"))
        let engine = try await destination.makeEngine()
        let service = LaneService(product: "DL", on: engine)

        for name in ["seen", "liked", "seen"] { service.track(FirebaseEvent(name)) }
        service.track(AwesomeTrackingEvent("seen"))
        _ = await engine.flush(timeout: .seconds(5))

        #expect(engine.recentEvents(on: .firebase(product: "DL")).map(\.name) == ["seen", "liked", "seen"])
        #expect(engine.recentEvents(named: "seen").map(\.lane.service) == ["awesomeTracking", "firebase", "firebase"])
        let liked = try #require(engine.recentEvents(named: "liked").first)
        #expect(await engine.explain(liked.id)?.status == .delivered)
        #expect(liked.id == destination.events[1].id && liked.time == destination.events[1].time)
        let lost = try #require(engine.recentEvents(on: .awesomeTracking(product: "DL")).first)
        #expect(await engine.explain(lost.id)?.status == .dropped(.noDestination))
    }

    @Test func `events that wait for the engine to open are listed, too`() async throws {
        let engine = DeliveryEngine(clock: TestClock())

        LaneService(product: "DL", on: engine).track(FirebaseEvent("seen"))

        let event = try #require(engine.recentEvents().first)
        #expect(await engine.explain(event.id)?.status == .buffered)
    }

    @Test func `the last 64 events of each lane are listed, even if another lane has many more`() async throws {
        let engine = try await RecordingDestination(lane: .firebase(product: "DL")).makeEngine()
        let service = LaneService(product: "DL", on: engine)

        for number in 0..<100 { service.track(AwesomeTrackingEvent("row \(number)")) }
        for number in 0..<2_000 { service.track(FirebaseEvent("event \(number)")) }
        await engine.storeBuffered()

        let rows = engine.recentEvents(on: .awesomeTracking(product: "DL"), limit: .max).map(\.name)
        #expect(rows.prefix(64) == (36..<100).reversed().map { "row \($0)" }[...])
        let events = engine.recentEvents(on: .firebase(product: "DL"), limit: .max).map(\.name)
        #expect(events.prefix(64) == (1_936..<2_000).reversed().map { "event \($0)" }[...])
        #expect(events.count <= 128)
        #expect(engine.recentEvents(limit: 3).map(\.name) == ["event 1999", "event 1998", "event 1997"])
        #expect(engine.recentEvents(limit: -1).isEmpty)
    }

    @Test func `a long name is cut off in the list, and its event is found by the whole name`() async throws {
        let engine = try await RecordingDestination(lane: .firebase(product: "DL")).makeEngine()
        let name = String(repeating: "ü", count: 100_000)

        LaneService(product: "DL", on: engine).track(FirebaseEvent(name: name))
        await engine.storeBuffered()

        #expect(engine.recentEvents(named: name).map(\.name) == [String(repeating: "ü", count: 128)])
    }

    @Test func `events can be listed while many threads track`() async throws {
        let engine = try await RecordingDestination(lane: .firebase(product: "DL")).makeEngine()
        let service = LaneService(product: "DL", on: engine)

        await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<500 { service.track(FirebaseEvent("\(thread) \(number)")) }
                }
            }
            group.addTask {
                for _ in 0..<50 {
                    let ids = engine.recentEvents(limit: .max).map(\.id)
                    #expect(Set(ids).count == ids.count && ids == ids.sorted(by: >))
                }
            }
        }

        #expect(engine.recentEvents(limit: .max).count >= 64)
    }

    @Test func `a shard knows its last refused events, and not many more`() {
        var refusals = RecentRefusals()
        let ids = (1...200).map { EventID(high: UInt64($0), low: 0) }

        for id in ids { refusals.record(id, lane: 0, .rateCapped) }

        let known = ids.filter { refusals.refusal(of: $0) != nil }
        #expect(known.count <= 2 * RecentRefusals.capacity)
        #expect(known.suffix(RecentRefusals.capacity) == ids.suffix(RecentRefusals.capacity))
    }
}
