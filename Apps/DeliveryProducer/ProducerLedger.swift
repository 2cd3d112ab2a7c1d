import CoreTracker
import EventDelivery

/// A lane's ledger in the form that the producer prints.
struct ProducerLedger: Encodable {
    let lane: String
    let carriedOver: Int
    let accepted: Int
    let delivered: Int
    let pending: Int
    let quarantined: Int
    let dropped: [String: Int]

    init(_ statistics: LaneStatistics) {
        lane = statistics.id.description
        carriedOver = statistics.pendingAtOpen
        accepted = statistics.ledger.accepted
        delivered = statistics.ledger.delivered
        pending = statistics.ledger.pending
        quarantined = statistics.ledger.quarantined
        dropped = Dictionary(statistics.ledger.dropped.map { ($0.key.name, $0.value) }, uniquingKeysWith: +)
    }
}
