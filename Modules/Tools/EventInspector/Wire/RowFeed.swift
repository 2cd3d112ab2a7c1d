import Locks
import LoopbackCollector

/// A stream of changed rows for one page.
final class RowFeed: Sendable {
    /// The maximum number of rows per message, and of messages per write.
    private static let (limit, burst) = (200, 10)
    /// The number of checks without changes after which a comment is sent, to detect whether the page is still
    /// connected.
    private static let quietLooks = 40

    private struct State {
        var position: Int?
        var isBegun = false
        var quiet = 0
    }

    private let store: InspectorStore
    private let cut: Int
    private let state: Mutex<State>

    /// Creates a feed that starts at a position, or at the latest change.
    init(_ store: InspectorStore, after position: Int?) {
        self.store = store
        cut = store.cutCount
        state = Mutex(State(position: position))
    }

    /// Returns all rows, and the position at which a stream continues.
    static func all(of store: InspectorStore) -> String {
        store.read { state in
            let rows = state.rows.keys.sorted().compactMap { state.rows[$0]?.summary }.joined(separator: ",")
            return "{\"position\":\(state.changes.end),\"first\":\(state.firstRow),\"rows\":[\(rows)]}"
        }
    }

    /// Returns the next messages, which may be empty, or `nil` at the end of the stream.
    func next() -> [UInt8]? {
        guard store.cutCount == cut else { return nil }
        let text = state.withLock { state -> String in
            var message: String?
            for _ in 0..<RowFeed.burst {
                let from = state.position
                let (part, next) = store.read { RowFeed.message(of: $0, after: from) }
                state.position = next
                guard let part else { break }
                message = (message ?? "") + part
            }
            guard state.isBegun else {
                state.isBegun = true
                // The number of milliseconds after which a page reconnects.
                return "retry: 500\n\n" + (message ?? "")
            }
            state.quiet = message == nil ? state.quiet + 1 : 0
            if state.quiet == RowFeed.quietLooks {
                state.quiet = 0
                return ": still here\n\n"
            }
            return message ?? ""
        }
        return Array(text.utf8)
    }

    private static func message(of state: InspectorState, after position: Int?) -> (text: String?, next: Int) {
        guard let position else { return (text: nil, next: state.changes.end) }
        let (rows, next, missed) = state.changes.changes(after: position, limit: RowFeed.limit)
        // A position after the end belongs to an earlier inspector at the same address.
        guard position != next || missed > 0 else { return (text: nil, next: next) }
        let summaries = rows.map { number in state.rows[number]?.summary ?? "{\"n\":\(number)}" }
        let body = summaries.joined(separator: ",")
        let data = "{\"first\":\(state.firstRow),\"missed\":\(missed),\"rows\":[\(body)]}"
        return (text: "id: \(next)\ndata: \(data)\n\n", next: next)
    }
}
