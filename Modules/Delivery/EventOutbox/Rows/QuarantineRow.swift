import CoreTracker
import EventTracking

/// The row of a quarantined event, whose key begins with the number of its lane.
struct QuarantineRow: Equatable {
    let lane: Int
    var event: QuarantinedEvent
}

extension QuarantineRow: OutboxRow {
    static let table = RowTable.quarantine

    var rowKey: [UInt8] { LaneKey(lane: lane, id: event.id).bytes }

    init?(rowKey key: [UInt8]) {
        guard let key = LaneKey(key) else { return nil }
        lane = key.lane
        event = QuarantinedEvent(
            id: key.id,
            lane: LaneID(product: "", service: ""),
            reason: "",
            response: "",
            time: Timestamp(microseconds: 0),
            fragment: [],
            key: ""
        )
    }

    mutating func code(_ coder: inout RowCoder) {
        coder.code(&event.lane)
        coder.code(&event.reason, limit: RowText.longest)
        coder.code(&event.response, limit: RowText.longest)
        coder.code(&event.time)
        coder.code(&event.fragment)
        coder.code(&event.key, limit: RowText.longest)
        coder.code(&event.user)
        coder.code(&event.decision)
    }

    var isPossible: Bool { event.time.isPossible && event.decision <= StateRow.greatestNumber }
}
