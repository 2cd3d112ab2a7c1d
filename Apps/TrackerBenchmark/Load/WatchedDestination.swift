import CoreTracker
import EventDelivery
import Synchronization

/// A destination as it is, which shows the events that are stored, in their order, with the size of their bodies.
struct WatchedDestination: Destination {
    private let base: any Destination
    private let watch: @Sendable (OutgoingEvent, Int) -> Void

    /// Watches a destination; the watcher is called on the writer's queue, once for each event.
    init(_ base: any Destination, _ watch: @escaping @Sendable (OutgoingEvent, Int) -> Void) {
        self.base = base
        self.watch = watch
    }

    var lane: LaneID { base.lane }
    var purpose: ConsentPurpose { base.purpose }
    var limits: BatchLimits { base.limits }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try base.encode(event, into: &encoder)
        watch(event, encoder.byteCount)
    }

    func batchKey(of event: OutgoingEvent) -> String { base.batchKey(of: event) }

    func request(for batch: OutgoingBatch) -> HTTPRequest { base.request(for: batch) }

    func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        base.verdict(on: response, for: batch)
    }
}
