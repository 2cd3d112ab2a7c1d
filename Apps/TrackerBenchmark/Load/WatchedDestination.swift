import CoreTracker
import EventDelivery
import Locks

/// A destination wrapper that reports each stored event in order, with the size of its body.
struct WatchedDestination: DestinationWrapper {
    let base: any Destination
    private let watch: @Sendable (OutgoingEvent, Int) -> Void

    /// Wraps a destination.
    ///
    /// The writer's queue calls `watch` once for each event.
    init(_ base: any Destination, _ watch: @escaping @Sendable (OutgoingEvent, Int) -> Void) {
        self.base = base
        self.watch = watch
    }

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try base.encode(event, into: &encoder)
        watch(event, encoder.byteCount)
    }
}
