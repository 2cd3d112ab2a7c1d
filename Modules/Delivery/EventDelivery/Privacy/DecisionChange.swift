import CoreTracker
import EventDeliveryAPI
import EventOutbox

/// A change of the stored decisions and of the lanes whose events they cover.
///
/// It reads the outbox and commits nothing.
struct DecisionChange {
    /// The decisions and the pending erasures after the change.
    var rows: PrivacyRows
    /// The lanes after the change.
    private(set) var lanes: [LaneQueue]
    /// The rows to commit, and the notifications to send afterwards.
    var change = LaneChange()
    private let earlier: [DecisionRow]
    private let quarantined: [LaneID: [QuarantinedEvent]]
    private let outbox: BufferedOutbox

    init(_ state: DeliveryState) {
        (rows, lanes, earlier) = (state.privacy, state.lanes.queues, state.privacy.decisions)
        (quarantined, outbox) = (Dictionary(grouping: state.quarantine.events, by: \.lane), state.storage.outbox)
    }

    /// Creates a change of an outbox without the changes refused by the disk.
    ///
    /// The decisions and the erasures before the change are those in memory.
    ///
    /// - Parameters:
    ///   - state: The store's state.
    ///   - file: The outbox.
    /// - Throws: The storage error.
    init(_ state: DeliveryState, file: BufferedOutbox) throws(OutboxError) {
        let stored = try file.storedRows()
        let found = Dictionary(stored.lanes.map { ($0.number, $0) }) { first, _ in first }
        let batches = Dictionary(grouping: stored.batches, by: \.lane)
        (rows, earlier, outbox) = (state.privacy, stored.privacy.decisions, file)
        quarantined = Dictionary(grouping: stored.quarantined, by: \.lane)
        lanes = state.lanes.queues.compactMap { queue in
            guard let row = found[queue.stored.number], !row.isDamaged else { return nil }
            var queue = queue
            queue.restore(row, batches: batches[row.number] ?? [])
            return queue
        }
        let erasures = Set(stored.privacy.erasures.map(\.number))
        change.outbox.erasures.saved = rows.erasures.filter { !erasures.contains($0.number) }
        // The disk may have refused the events that damage has made void at the opening.
        let voids = Dictionary(state.lanes.rows.map { ($0.number, $0.void) }) { first, _ in first }
        for index in lanes.indices {
            let number = voids[lanes[index].stored.number] ?? 0
            if number > lanes[index].stored.void { void(lane: index, below: number) }
        }
    }

    /// Applies a decision or an erasure.
    ///
    /// - Parameters:
    ///   - decision: The decision, with its decision number in the stored form.
    ///   - isDefault: Whether a consent decision is the app's default.
    /// - Returns: The number of events covered by an erasure.
    /// - Throws: The storage error. The change is then incomplete, and cannot be used.
    mutating func apply(_ decision: PrivacyDecision, isDefault: Bool) throws(OutboxError) -> Int {
        switch decision.kind {
        case .erasure(let user): return try erase(ErasureRow(number: decision.number, user: user))
        case .consent(let purpose, let consent):
            let index = rows.decisions.firstIndex { $0.purpose == purpose.name }
            var row = index.map { rows.decisions[$0] } ?? DecisionRow(purpose: purpose.name, consent: consent)
            (row.consent, row.number, row.isDefault) = (consent, decision.number, isDefault)
            if consent == .denied {
                row.denial = decision.number
                rows.state.scrub = decision.number
                void(purpose.name, below: decision.number)
            }
            if let index { rows.decisions[index] = row } else { rows.decisions.append(row) }
            return 0
        }
    }

    /// Counts the events of a purpose as lost by a denial.
    ///
    /// - Parameters:
    ///   - purpose: The purpose's name.
    ///   - number: The decision number of the denial.
    mutating func void(_ purpose: String, below number: UInt64) {
        for index in lanes.indices where lanes[index].hasPurpose(purpose) { void(lane: index, below: number) }
    }

    private mutating func void(lane index: Int, below number: UInt64) {
        removeQuarantined(on: lanes[index].id) { $0.decision < number }
        let lost = lanes[index].void(below: number, .consentDenied, change: &change.outbox)
        change.lose(lost, .consentDenied, on: lanes[index].id)
    }

    /// Adds an erasure, and counts the covered events as lost.
    ///
    /// - Returns: The number of the events.
    /// - Throws: The storage error. The change is then incomplete, and cannot be used.
    @discardableResult
    mutating func erase(_ erasure: ErasureRow) throws(OutboxError) -> Int {
        var erased = 0
        for index in lanes.indices {
            let id = lanes[index].id
            let refused = removeQuarantined(on: id) { erasure.covers($0.user, $0.decision) }
            let lost: Int
            if erasure.user == nil {
                // While the disk has refused the erasure, memory has taken later events.
                var lane = lanes[index].stored
                lane.void = erasure.number
                let later = (counts: try outbox.recount(lane, rows), quarantined: lane.ledger.quarantined - refused)
                lost = lanes[index].void(below: erasure.number, .erased, except: later, change: &change.outbox)
            } else {
                lost = try lanes[index].erase(
                    erasure,
                    quarantined: refused,
                    from: outbox,
                    rows,
                    change: &change.outbox
                )
            }
            change.lose(lost, .erased, on: id)
            erased += lost
        }
        rows.erasures.append(erasure)
        rows.state.scrub = max(rows.state.scrub, erasure.number)
        change.outbox.erasures.saved.append(erasure)
        for index in lanes.indices { lanes[index].refreshHead(from: outbox, rows) }
        return erased
    }

    /// Adds the row of the state and the rows of changed decisions to the rows to commit.
    mutating func saveRows() {
        change.outbox.state = rows.state
        let known = Dictionary(earlier.map { ($0.purpose, $0) }) { first, _ in first }
        change.outbox.decisions = rows.decisions.filter { known[$0.purpose] != $0 }
    }

    @discardableResult
    private mutating func removeQuarantined(on lane: LaneID, where isGone: (QuarantinedEvent) -> Bool) -> Int {
        guard let events = quarantined[lane] else { return 0 }
        let known = Set(change.outbox.quarantined.removed)
        let gone = events.filter { !known.contains($0.id) && isGone($0) }
        change.outbox.quarantined.removed += gone.map(\.id)
        return gone.count
    }
}
