import CoreTracker
import EventDelivery
import EventDeliveryTesting

/// Lines whose events share a request only with those of the same user.
struct KeyedDestination: Destination {
    let lines: LineDestination
    var order = DeliveryOrder.session
    var lane: LaneID { lines.lane }
    var limits: BatchLimits { lines.limits }

    func batchKey(of event: OutgoingEvent) -> String { event.identity.userID ?? "" }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try lines.encode(event, into: &encoder)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest { lines.request(for: batch) }
}
