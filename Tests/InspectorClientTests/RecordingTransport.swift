import EventDelivery
import Foundation
import Locks
import LoopbackCollector

/// Takes events with the answers of a script, and keeps the lines of the reports.
final class RecordingTransport: Transport {
    private let statuses: Mutex<[Int]>
    private let lines: AsyncStream<CollectedValue>.Continuation
    /// The reports' lines, as they come.
    let reports: AsyncStream<CollectedValue>

    /// Gives the requests with events these answers, then 200.
    init(statuses: [Int] = []) {
        self.statuses = Mutex(statuses)
        (reports, lines) = AsyncStream.makeStream()
    }

    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        guard request.url.path == "/inspector/state" else {
            return HTTPResponse(status: statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() })
        }
        for line in request.body.split(separator: UInt8(ascii: "\n")) {
            if let value = CollectedValue(Array(line)) { lines.yield(value) }
        }
        return HTTPResponse(status: 204)
    }

    /// Waits for the first report of a kind that a condition holds for.
    func report(_ kind: String, where condition: (CollectedValue) -> Bool = { _ in true }) async -> CollectedValue? {
        for await line in reports where line["kind"]?.string == kind && condition(line) { return line }
        return nil
    }
}

extension CollectedValue {
    /// The names of an object's members.
    var keys: [String] { if case .object(let members) = self { Array(members.keys) } else { [] } }
}
