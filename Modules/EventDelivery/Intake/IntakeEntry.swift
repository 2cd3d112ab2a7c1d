import CoreTracker

/// One tracked event in memory, before it is encoded and stored.
struct IntakeEntry: Sendable {
    let lane: Int
    let options: TrackOptions
    let id: EventID
    let time: Timestamp
    let identity: FrozenIdentity
    let name: String
    let parameters: EventParameters
    let defaults: EventParameters
    let receipt: CheckedContinuation<Receipt, Never>?

    /// Tells whoever waits for the event what has become of it.
    func answer(_ outcome: Receipt.Outcome) {
        receipt?.resume(returning: Receipt(id: id, outcome: outcome))
    }
}
