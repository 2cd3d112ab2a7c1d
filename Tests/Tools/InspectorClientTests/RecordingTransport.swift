import EventDelivery
import Foundation
import Locks
import LoopbackCollector

/// A transport that responds to events from a script, and records reports.
final class RecordingTransport: Transport {
    private let statuses: Mutex<[Int]>
    private let lines: AsyncStream<CollectedValue>.Continuation
    /// The lines of the reports, in the order of arrival.
    let reports: AsyncStream<CollectedValue>

    /// Creates a transport with responses to the first requests with events.
    ///
    /// All later requests get status 200.
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

    /// Waits for the first report of a kind that satisfies a condition.
    func report(_ kind: String, where condition: (CollectedValue) -> Bool = { _ in true }) async -> CollectedValue? {
        for await line in reports where line["kind"]?.string == kind && condition(line) { return line }
        return nil
    }
}

extension CollectedValue {
    /// Returns the names of an object's members.
    var keys: [String] { if case .object(let members) = self { Array(members.keys) } else { [] } }
}
