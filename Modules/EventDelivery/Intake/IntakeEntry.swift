import CoreTracker

/// One tracked event in memory, before it is encoded and stored.
struct IntakeEntry: Sendable {
    let lane: Int
    let options: TrackOptions
    let id: EventID
    let time: Timestamp
    let identity: FrozenIdentity
    let name: String
    let parameters: Parameters
    let defaults: Parameters
    let receipt: CheckedContinuation<Receipt, Never>?
}

/// The identity that all events tracked under it share, so that freezing it costs one reference.
final class FrozenIdentity: Sendable {
    let identity: Identity

    init(_ identity: Identity) {
        self.identity = identity
    }
}
