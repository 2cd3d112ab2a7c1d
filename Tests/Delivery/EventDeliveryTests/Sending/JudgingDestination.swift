import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks

/// A destination with scripted results for its responses, in order.
final class JudgingDestination: Destination {
    let lines: LineDestination
    private let results: Mutex<[BatchResult]>
    private let otherwise: BatchResult

    init(lines: LineDestination, results: [BatchResult], otherwise: BatchResult = .delivered) {
        self.lines = lines
        self.results = Mutex(results)
        self.otherwise = otherwise
    }

    var lane: LaneID { lines.lane }
    var limits: BatchLimits { lines.limits }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try lines.encode(event, into: &encoder)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest { lines.request(for: batch) }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        results.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? otherwise
    }
}
