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
        coder.code(&lane)
        coder.code(&reason, limit: RowText.longest)
        coder.code(&response, limit: RowText.longest)
        coder.code(&time)
        coder.code(&fragment)
        coder.code(&key, limit: RowText.longest)
        coder.code(&user)
        coder.code(&decision)
    }

    var isPossible: Bool { time.isPossible && decision <= PrivacyRows.greatestNumber }
}
