import Locks
import LoopbackCollector

/// A file created in parts, to keep only one part in memory.
protocol ExportParts: Sendable {
    /// Returns the next part, or `nil` after the last one.
    func next() -> [UInt8]?
}

/// An iterator over the rows of a store at the time of the iterator's creation.
final class RowWalk: Sendable {
    private static let step = 200

    private let store: InspectorStore
    private let rest: Mutex<[Int]>

    /// Starts at the oldest row.
    init(_ store: InspectorStore) {
        self.store = store
        rest = Mutex(store.read { $0.rows.keys.sorted().reversed() })
    }

    /// Returns the deliveries of the next rows with their row numbers, or `nil` after the last row.
    func next() -> [(row: Int, sighting: Sighting)]? {
        let numbers = rest.withLock { rest -> [Int] in
            let part = Array(rest.suffix(RowWalk.step).reversed())
            rest.removeLast(part.count)
            return part
        }
        guard !numbers.isEmpty else { return nil }
        return store.read { state in numbers.flatMap { row in state.sightings(ofRow: row).map { (row, $0) } } }
    }
}

/// An export of deliveries, each as one line of JSON with its body.
struct LineExport: ExportParts {
    private let walk: RowWalk

    init(_ store: InspectorStore) {
        walk = RowWalk(store)
    }

    func next() -> [UInt8]? {
        walk.next().map { part in part.flatMap { Array(LineExport.line($0.row, $0.sighting).utf8) } }
    }

    private static func line(_ row: Int, _ sighting: Sighting) -> String {
        var json = JSONBuilder()
        let status = sighting.status
        json.object { json in
            json.member("row", row)
            json.member("lane", "\(sighting.product ?? "?")/\(sighting.service)")
            json.member("id", sighting.eventID)
            json.member("name", sighting.name)
            json.member("state", status.state)
            json.member("reason", status.reason)
            json.key("body")
            // In JSON, raw line breaks occur only between tokens, so a space can replace them.
            let body = sighting.body.utf8.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? 0x20 : $0 }
            let isJSON = CollectedValue(body) != nil
            json.raw(isJSON ? String(decoding: body, as: UTF8.self) : JSONBuilder.quoted(sighting.body))
        }
        return json.text + "\n"
    }
}

/// An export of requests as an HTTP Archive 1.2.
///
/// Each request appears once, without secrets.
final class ArchiveExport: ExportParts {
    private struct State {
        var isBegun = false
        var isEnded = false
        var arrivals: Set<ObjectIdentifier> = []
    }

    private let walk: RowWalk
    private let state = Mutex(State())

    init(_ store: InspectorStore) {
        walk = RowWalk(store)
    }

    func next() -> [UInt8]? {
        state.withLock { state -> [UInt8]? in
            guard !state.isEnded else { return nil }
            guard state.isBegun else {
                state.isBegun = true
                let creator = #"{"name":"EventInspector","version":"1"}"#
                return Array("{\"log\":{\"version\":\"1.2\",\"creator\":\(creator),\"entries\":[\n".utf8)
            }
            guard let part = walk.next() else {
                state.isEnded = true
                return Array("]}}\n".utf8)
            }
            var text = ""
            for arrival in part.compactMap(\.sighting.arrival) {
                let separator = state.arrivals.isEmpty ? "" : ",\n"
                guard state.arrivals.insert(ObjectIdentifier(arrival)).inserted else { continue }
                text += separator + arrival.archiveEntry
            }
            return Array(text.utf8)
        }
    }
}
