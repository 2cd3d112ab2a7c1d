import CoreTracker
import EventDelivery

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
            "carriedOver": .int(lane.pendingAtOpen),
            "repaired": counts(lane.adjusted.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }),
        ]
    }

    private static func counts(_ pairs: [(String, Int)]) -> ParameterValue {
        .object(EventParameters(pairs.map { (ParameterKey($0.0), ParameterValue.int($0.1)) }))
    }
}
