import CoreTracker
import EventDelivery
import EventDeliveryTesting

/// Lines that need no order, with several requests under way at once.
struct UnorderedLines: Destination {
    let lines: LineDestination
    let order = DeliveryOrder.none
    var lane: LaneID { lines.lane }
    var limits: BatchLimits {
        var limits = lines.limits
        limits.inFlight = 4
        return limits
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try lines.encode(event, into: &encoder)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest { lines.request(for: batch) }
}
