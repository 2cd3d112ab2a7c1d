import Locks
import LoopbackCollector

/// The changes of rows as an event stream, for one page.
final class RowFeed: Sendable {
    /// The most rows of one message, and the most messages that go out at once.
    private static let (limit, burst) = (200, 10)
    /// After so many looks without a change a comment is sent, which finds out whether the page is still there.
    private static let quietLooks = 40

    private struct State {
        var position: Int?
        var isBegun = false
        var quiet = 0
    }

    private let store: InspectorStore
    private let cut: Int
    private let state: Mutex<State>

    /// Follows a store from a position, or from now on.
    init(_ store: InspectorStore, after position: Int?) {
        self.store = store
        cut = store.cutCount
        state = Mutex(State(position: position))
    }

    /// All rows at once, and the position from which a stream goes on.
    static func all(of store: InspectorStore) -> String {
        store.read { state in
            let rows = state.rows.keys.sorted().compactMap { state.rows[$0]?.summary }.joined(separator: ",")
            return "{\"position\":\(state.changes.end),\"first\":\(state.firstRow),\"rows\":[\(rows)]}"
        }
    }

    /// The next messages, empty when there are none; `nil` at the end of the stream.
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
                // A page whose stream breaks comes back after so many milliseconds.
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
        // A position beyond the end is that of another inspector at this address, before it was started anew.
        guard position != next || missed > 0 else { return (text: nil, next: next) }
        let summaries = rows.map { number in state.rows[number]?.summary ?? "{\"n\":\(number)}" }
        let body = summaries.joined(separator: ",")
        let data = "{\"first\":\(state.firstRow),\"missed\":\(missed),\"rows\":[\(body)]}"
        return (text: "id: \(next)\ndata: \(data)\n\n", next: next)
    }
}
