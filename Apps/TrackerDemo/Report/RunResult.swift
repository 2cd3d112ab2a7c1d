import EventDelivery

/// What a run has done.
struct RunResult: Sendable {
    /// What was read; `nil` without a file.
    var count: ReplayCount?
    /// The lanes, in order of their names.
    let lanes: [LaneResult]
    /// Different events that arrived at the demo's own receiver, by service; empty where it has none.
    let arrived: [(service: String, events: Int)]
    /// Quarantined events of this and earlier runs.
    let quarantine: [QuarantinedEvent]

    /// Whether all that was tracked now, and all that was left earlier, has arrived, by the books and at the receiver.
    var isComplete: Bool { lanes.allSatisfy(\.isComplete) && missing.isEmpty }

    /// Whether events are left in the queue.
    var holdsEvents: Bool { lanes.contains { $0.pending > 0 } || !quarantine.isEmpty }

    /// Services of which the receiver has fewer events than the books say.
    var missing: [(service: String, delivered: Int, arrived: Int)] {
        arrived.compactMap { service, events in
            let delivered = lanes.filter { $0.id.service == service }.reduce(0) { $0 + $1.delivered }
            return delivered == events ? nil : (service: service, delivered: delivered, arrived: events)
        }
    }
}
