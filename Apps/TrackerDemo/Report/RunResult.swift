import CoreTracker
import EventDelivery
import SuperApp

/// The result of a run.
struct RunResult: Sendable {
    /// The number of rows that were read, or `nil` without a file.
    let count: ReplayCount?
    /// The lanes, sorted by name.
    var lanes: [LaneResult]
    /// The number of unique events at the demo's receiver, by service.
    ///
    /// Empty without that receiver.
    var arrived: [(service: String, events: Int)]
    /// The quarantined events of this run and of earlier runs.
    let quarantine: [QuarantinedEvent]

    /// Whether all events of this run and earlier runs were delivered, according to the ledgers and to the receiver.
    var isComplete: Bool { lanes.allSatisfy(\.isComplete) && quarantine.isEmpty && mismatches.isEmpty }

    /// Whether events are left in the queue.
    var holdsEvents: Bool { lanes.contains { $0.pending > 0 } || !quarantine.isEmpty }

    /// The services whose numbers of events differ between the receiver and the ledgers.
    ///
    /// While events are pending, the receiver may have more: it may have accepted events that are not acknowledged yet.
    var mismatches: [(service: String, delivered: Int, arrived: Int)] {
        let isSettled = lanes.allSatisfy(\.isComplete)
        return arrived.compactMap { service, events in
            let delivered = lanes.filter { $0.id.service == service }.reduce(0) { $0 + $1.delivered }
            guard events < delivered || isSettled && events > delivered else { return nil }
            return (service: service, delivered: delivered, arrived: events)
        }
    }

    /// Returns the result without idle vendors if this run calls no vendor.
    func leavingOutIdleVendors(isReplay: Bool) -> RunResult {
        guard isReplay else { return self }
        var result = self
        let vendors = VendorEntry.all.map(\.lane) + [AnalyticsFunnel.lane]
        let idle = lanes.filter { lane in
            vendors.contains(lane.id) && lane.accepted + lane.pendingAtOpen + lane.pending == 0
        }.map(\.id)
        result.lanes.removeAll { idle.contains($0.id) }
        result.arrived.removeAll { service, _ in idle.contains { $0.service == service } }
        return result
    }
}
