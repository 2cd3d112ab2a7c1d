import LoopbackCollector
import Testing

@testable import EventInspector

@Suite(.timeLimit(.minutes(5))) struct RowFeedTests {
    private func stream(
        _ inspected: Inspected,
        from path: String,
        last: String? = nil,
        until ending: String
    ) throws -> String {
        let headers = last.map { ["Last-Event-ID": $0] } ?? [:]
        return try inspected.response("GET", path, "", headers: headers, token: true, until: ending).body
    }

    @Test func `a stream continues after its position, and the browser's position takes precedence`() throws {
        let inspected = try Inspected()
        for name in ["a", "b", "c"] { try inspected.post("/", Inspected.row(name, id: name)) }

        let all = try stream(inspected, from: "/inspector/stream?after=0", until: "\"c\"")
        let rest = try stream(inspected, from: "/inspector/stream?after=0", last: "2", until: "\"c\"")

        #expect(all.contains("retry: 500\n\n") && all.contains("\"a\"") && all.contains("id: 3\ndata: "))
        #expect(rest.contains("\"c\"") && !rest.contains("\"b\""))
    }

    @Test func `closing the streams ends all open ones`() throws {
        let store = InspectorStore(plan: InspectorPlan())
        let feed = RowFeed(store, after: 0)

        let before = feed.next()
        store.cutStreams()

        #expect(before != nil)
        #expect(feed.next() == nil)
        #expect(RowFeed(store, after: 0).next() != nil)
    }

    @Test func `a stream without changes sends a comment from time to time`() {
        let feed = RowFeed(InspectorStore(plan: InspectorPlan()), after: 0)

        let parts = (0..<100).compactMap { _ in feed.next() }.map { String(decoding: $0, as: UTF8.self) }

        #expect(parts.filter { $0.hasPrefix(":") }.count == 2)
    }
}
