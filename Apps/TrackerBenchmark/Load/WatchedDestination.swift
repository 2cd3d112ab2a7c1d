import CoreTracker
import EventDelivery
import Locks

/// A destination as it is, which shows the events that are stored, in their order, with the size of their bodies.
struct WatchedDestination: DestinationWrapper {
    let base: any Destination
    private let watch: @Sendable (OutgoingEvent, Int) -> Void

    /// Watches a destination; the watcher is called on the writer's queue, once for each event.
    init(_ base: any Destination, _ watch: @escaping @Sendable (OutgoingEvent, Int) -> Void) {
        self.base = base
        self.watch = watch
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try base.encode(event, into: &encoder)
        watch(event, encoder.byteCount)
    }
}
