import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks

/// A destination with scripted results for its responses, in order.
final class JudgingDestination: Destination {
    let lines: LineDestination
    private let verdicts: Mutex<[BatchVerdict]>
    private let otherwise: BatchVerdict

    init(lines: LineDestination, verdicts: [BatchVerdict], otherwise: BatchVerdict = .delivered) {
        self.lines = lines
        self.verdicts = Mutex(verdicts)
        self.otherwise = otherwise
    }

    var lane: LaneID { lines.lane }
    var limits: BatchLimits { lines.limits }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try lines.encode(event, into: &encoder)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest { lines.request(for: batch) }

    func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        verdicts.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? otherwise
    }
}
