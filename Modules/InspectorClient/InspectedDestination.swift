import CoreTracker
import EventDelivery

/// A destination that reports what passes through it, and is otherwise the destination that it stands before.
///
/// It hands on every requirement, those with a default too: a default would be its own and not the destination's.
struct InspectedDestination: Destination {
    private let destination: any Destination
    private let reporter: InspectionReporter

    /// Stands before a destination.
    init(_ destination: any Destination, reporter: InspectionReporter) {
        self.destination = destination
        self.reporter = reporter
    }

    var lane: LaneID { destination.lane }
    var purpose: ConsentPurpose { destination.purpose }
    var order: DeliveryOrder { destination.order }
    var limits: BatchLimits { destination.limits }
    var transport: (any Transport)? { destination.transport }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        let (start, earlier) = (encoder.byteCount, encoder.repairs)
        do throws(EventRefusal) {
            try destination.encode(event, into: &encoder)
        } catch {
            reporter.note(event, on: lane, body: [], repairs: [:], refusal: error)
            throw error
        }
        let body = unsafe encoder.json.withBytes { unsafe Array($0[min(start, $0.count)...]) }
        let repairs = encoder.repairs.filter { earlier[$0.key] != $0.value }
        reporter.note(event, on: lane, body: body, repairs: repairs, refusal: nil)
    }

    func batchKey(of event: OutgoingEvent) -> String {
        destination.batchKey(of: event)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        destination.request(for: batch)
    }

    func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        let verdict = destination.verdict(on: response, for: batch)
        reporter.note(response, verdict, for: batch, on: lane)
        return verdict
    }
}
