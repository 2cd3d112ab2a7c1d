import CoreTracker
import EventDelivery

/// A destination that forwards every requirement to another destination and reports its events and responses.
struct InspectedDestination: DestinationWrapper {
    let base: any Destination
    private let reporter: InspectionReporter

    /// Wraps a destination.
    init(_ base: any Destination, reporter: InspectionReporter) {
        self.base = base
        self.reporter = reporter
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        let (start, earlier) = (encoder.byteCount, encoder.adjustments)
        do throws(EventEncodingError) {
            try base.encode(event, into: &encoder)
        } catch {
            reporter.record(event, on: lane, body: [], adjustments: [:], error: error)
            throw error
        }
        let body = unsafe encoder.json.withBytes { unsafe Array($0[min(start, $0.count)...]) }
        let adjustments = encoder.adjustments.filter { earlier[$0.key] != $0.value }
        reporter.record(event, on: lane, body: body, adjustments: adjustments, error: nil)
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        let result = base.result(for: response, of: batch)
        reporter.record(response, result, for: batch, on: lane)
        return result
    }
}
