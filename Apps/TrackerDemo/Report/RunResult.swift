import CoreTracker
import EventDelivery
import SuperApp

/// What a run has done.
struct RunResult: Sendable {
    /// What was read; `nil` without a file.
    let count: ReplayCount?
    /// The lanes, in order of their names.
    var lanes: [LaneResult]
    /// Different events that arrived at the demo's own receiver, by service; empty where it has none.
    var arrived: [(service: String, events: Int)]
    /// Quarantined events of this and earlier runs.
    let quarantine: [QuarantinedEvent]

    /// Whether all that was tracked now, and all that was left earlier, has arrived, by the books and at the receiver.
    var isComplete: Bool { lanes.allSatisfy(\.isComplete) && quarantine.isEmpty && mismatches.isEmpty }

    /// Whether events are left in the queue.
    var holdsEvents: Bool { lanes.contains { $0.pending > 0 } || !quarantine.isEmpty }

    /// Services of which the receiver has another number of events than the books say.
    ///
    /// While something is on its way it may have more: what it has taken is not always acknowledged yet.
    var mismatches: [(service: String, delivered: Int, arrived: Int)] {
        let isSettled = lanes.allSatisfy(\.isComplete)
        return arrived.compactMap { service, events in
            let delivered = lanes.filter { $0.id.service == service }.reduce(0) { $0 + $1.delivered }
            guard events < delivered || isSettled && events > delivered else { return nil }
            return (service: service, delivered: delivered, arrived: events)
        }
    }

    /// The result of a run that calls no vendor: without the vendors that an earlier run has left nothing for.
    func leavingOutIdleVendors(isReplay: Bool) -> RunResult {
        guard isReplay else { return self }
        var result = self
        let vendors = VendorEntry.all.map(\.lane) + [AnalyticsFunnel.lane]
        let idle = lanes.filter { lane in
            vendors.contains(lane.id) && lane.accepted + lane.carriedOver + lane.pending == 0
        }.map(\.id)
        result.lanes.removeAll { idle.contains($0.id) }
        result.arrived.removeAll { service, _ in idle.contains { $0.service == service } }
        return result
    }
}
