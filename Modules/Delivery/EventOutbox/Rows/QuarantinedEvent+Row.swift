import CoreTracker
import EventDeliveryAPI

extension QuarantinedEvent: OutboxRow {
    static let table = RowTable.quarantine

    var rowKey: [UInt8] { id.bytes }

    init?(rowKey key: [UInt8]) {
        guard let id = EventID(bytes: key) else { return nil }
        let lane = LaneID(product: "", service: "")
        self.init(
            id: id,
            lane: lane,
            reason: "",
            response: "",
            time: Timestamp(microseconds: 0),
            fragment: [],
            key: ""
        )
    }

    mutating func code(_ coder: inout RowCoder) {
        var (lane, reason, response, time) = (self.lane, self.reason, self.response, self.time)
        var (fragment, key, user, decision) = (self.fragment, self.key, self.user, self.decision)
        coder.code(&lane)
        coder.code(&reason, limit: SQLiteText.longest)
        coder.code(&response, limit: SQLiteText.longest)
        coder.code(&time)
        coder.code(&fragment)
        coder.code(&key, limit: SQLiteText.longest)
        coder.code(&user)
        coder.code(&decision)
        guard coder.isReading else { return }
        self = QuarantinedEvent(
            id: id,
            lane: lane,
            reason: reason,
            response: response,
            time: time,
            fragment: fragment,
            key: key,
            user: user,
            decision: decision
        )
    }

    var isPossible: Bool { time.isPossible && decision <= PrivacyRows.greatestNumber }
}
