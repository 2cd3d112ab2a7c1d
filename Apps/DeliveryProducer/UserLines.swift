import CoreTracker
import EventDelivery
import EventDeliveryTesting

/// Lines whose events share a request only with those of the same user, in the order of sessions or in none.
///
/// The limits allow several requests at once in both cases; where there is an order, the engine sends one at a time.
struct UserLines: Destination {
    let lines: LineDestination
    let order: DeliveryOrder
    var lane: LaneID { lines.lane }
    var limits: BatchLimits {
        var limits = lines.limits
        limits.inFlight = 4
        return limits
    }

    func batchKey(of event: OutgoingEvent) -> String { event.identity.userID ?? "" }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try lines.encode(event, into: &encoder)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest { lines.request(for: batch) }
}
