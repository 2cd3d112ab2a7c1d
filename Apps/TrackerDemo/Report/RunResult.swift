import CoreTracker
import EventDelivery
import SuperApp

/// The result of a run.
struct RunResult: Sendable {
    /// The number of rows read from the file, or `nil` without a file.
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

    /// The services whose counts of events differ between the receiver and the ledgers.
    ///
    /// While events are pending, the receiver may have more: it may have accepted events whose acknowledgement is
    /// missing.
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

/// The result of one lane in this run.
struct LaneResult: Sendable, Equatable {
    /// The lane's name.
    let id: LaneID
    /// The number of events tracked by this run.
    let accepted: Int
    /// The number of events delivered in this run, including events of earlier runs.
    let delivered: Int
    /// The number of pending events.
    let pending: Int
    /// The number of events refused by a receiver in this run.
    let quarantined: Int
    /// The number of events lost in this run, by reason.
    let dropped: [String: Int]
    /// The number of events adjusted before sending, by rule.
    let adjusted: [String: Int]
    /// The number of events left by earlier runs.
    let pendingAtOpen: Int
    /// The reason for which the lane does not send, if any.
    let hindrance: String?

    /// Whether all events of this run and of earlier runs were delivered, apart from events for disabled vendors.
    var isComplete: Bool { accepted + pendingAtOpen == delivered + dropped[DropReason.vendorDisabled.name, default: 0] }

    /// Whether the lane had no events and has none.
    var isIdle: Bool { accepted + pendingAtOpen + pending + quarantined + droppedTotal == 0 }

    /// The number of events lost in this run, for all reasons.
    var droppedTotal: Int { dropped.values.reduce(0, +) }

    /// Reads the ledger of a lane.
    init(_ statistics: LaneStatistics) {
        let ledger = statistics.ledgerSinceOpening
        id = statistics.id
        accepted = ledger.accepted
        delivered = ledger.delivered
        pending = statistics.ledger.pending
        quarantined = ledger.quarantined
        dropped = Dictionary(ledger.dropped.map { ($0.key.name, $0.value) }) { first, _ in first }
        adjusted = ledger.adjusted
        pendingAtOpen = statistics.pendingAtOpen
        hindrance = statistics.explanation
    }
}

extension RunResult {
    /// The result as one line of JSON.
    var json: String {
        let count = count ?? ReplayCount()
        var members: EventParameters = [
            "rows": .int(count.rows),
            "malformed": .int(count.malformed),
        ]
        let kinds = ReplayRow.Kind.allCases.compactMap { kind in count.kinds[kind].map { (kind.rawValue, $0) } }
        members["eventTypes"] = RunResult.counts(kinds)
        members["lanes"] = .array(lanes.map { .object(RunResult.members(of: $0)) })
        if !arrived.isEmpty { members["collector"] = RunResult.counts(arrived.map { ($0.service, $0.events) }) }
        var writer = JSONWriter()
        writer.object(members)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func members(of lane: LaneResult) -> EventParameters {
        [
            "product": .string(lane.id.product),
            "service": .string(lane.id.service),
            "accepted": .int(lane.accepted),
            "delivered": .int(lane.delivered),
            "pending": .int(lane.pending),
            "quarantined": .int(lane.quarantined),
            "dropped": counts(lane.dropped.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
            "forReplacement": .int(lane.pendingAtOpen),
            "repaired": counts(lane.adjusted.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
        ]
    }

    private static func counts(_ pairs: [(String, Int)]) -> ParameterValue {
        .object(EventParameters(pairs.map { (ParameterKey($0.0), ParameterValue.int($0.1)) }))
    }
}
