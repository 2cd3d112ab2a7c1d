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
    private let outbox: Outbox

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
    init(_ state: DeliveryState, file: Outbox) throws(OutboxError) {
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
        for erasure in rows.erasures where !erasures.contains(erasure.number) { change.outbox.save(erasure) }
        // The disk may have refused the events that damage has made void at the opening.
        let voids = Dictionary(state.lanes.rows.map { ($0.number, $0.void) }) { first, _ in first }
        for index in lanes.indices {
            let number = voids[lanes[index].stored.number] ?? 0
            if number > lanes[index].stored.void { void(lane: index, below: number) }
        }
    }

    /// Applies decisions and erasures, in their order.
    ///
    /// - Parameters:
    ///   - decisions: The decisions, with their decision numbers in the stored form.
    ///   - isDefault: Whether a consent decision is the app's default.
    /// - Returns: The number of events covered by each erasure that covers any, by its decision number.
    /// - Throws: The storage error. The change is then incomplete, and cannot be used.
    mutating func apply(
        _ decisions: [PrivacyDecision],
        isDefault: (PrivacyDecision) -> Bool
    ) throws(OutboxError) -> [UInt64: Int] {
        var erased: [UInt64: Int] = [:]
        // Erasures of users wait, so one search finds the events of all of them.
        var waiting: [ErasureRow] = []
        for decision in decisions {
            switch decision.kind {
            case .erasure(let user?): waiting.append(ErasureRow(number: decision.number, user: user))
            case .erasure(nil):
                erased.merge(try erase(waiting)) { $1 }
                waiting = []
                erased[decision.number] = try eraseAll(below: decision.number)
            case .consent(let purpose, let consent):
                if consent == .denied {
                    erased.merge(try erase(waiting)) { $1 }
                    waiting = []
                }
                decide(purpose, consent, number: decision.number, isDefault: isDefault(decision))
            }
        }
        return erased.merging(try erase(waiting)) { $1 }
    }

    private mutating func decide(_ purpose: ConsentPurpose, _ consent: Consent, number: UInt64, isDefault: Bool) {
        let index = rows.decisions.firstIndex { $0.purpose == purpose.name }
        var row = index.map { rows.decisions[$0] } ?? DecisionRow(purpose: purpose.name, consent: consent)
        (row.consent, row.number, row.isDefault) = (consent, number, isDefault)
        if consent == .denied {
            row.denial = number
            rows.state.scrub = number
            void(purpose.name, below: number)
        }
        if let index { rows.decisions[index] = row } else { rows.decisions.append(row) }
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

    /// Adds an erasure of all users, and counts the covered events as lost.
    ///
    /// - Parameter number: The decision number of the erasure.
    /// - Returns: The number of the events.
    /// - Throws: The storage error. The change is then incomplete, and cannot be used.
    @discardableResult
    mutating func eraseAll(below number: UInt64) throws(OutboxError) -> Int {
        var erased = 0
        for index in lanes.indices {
            let refused = removeQuarantined(on: lanes[index].id) { $0.decision < number }.count
            // While the disk has refused the erasure, memory has taken later events.
            var lane = lanes[index].stored
            lane.void = number
            let later = (counts: try outbox.recount(lane, rows), quarantined: lane.ledger.quarantined - refused)
            let lost = lanes[index].void(below: number, .erased, except: later, change: &change.outbox)
            change.lose(lost, .erased, on: lanes[index].id)
            erased += lost
        }
        add([ErasureRow(number: number, user: nil)])
        return erased
    }

    /// Adds erasures of users, and counts the covered events as lost.
    ///
    /// - Returns: The number of events of each erasure that covers any, by its decision number.
    private mutating func erase(_ erasures: [ErasureRow]) throws(OutboxError) -> [UInt64: Int] {
        guard !erasures.isEmpty else { return [:] }
        var erased: [UInt64: Int] = [:]
        let added = PrivacyRows(erasures: erasures)
        for index in lanes.indices {
            let id = lanes[index].id
            let refused = removeQuarantined(on: id) { added.isErased($0.user, $0.decision) }
            let lost = try lanes[index].erase(
                added,
                quarantined: Dictionary(
                    refused.map { (added.erasure(of: $0.user, $0.decision) ?? 0, 1) },
                    uniquingKeysWith: +
                ),
                from: outbox,
                rows,
                change: &change.outbox
            )
            change.lose(lost.values.reduce(0, +), .erased, on: id)
            erased.merge(lost, uniquingKeysWith: +)
        }
        add(erasures)
        return erased
    }

    private mutating func add(_ erasures: [ErasureRow]) {
        rows.erasures += erasures
        rows.state.scrub = erasures.map(\.number).reduce(rows.state.scrub, max)
        for erasure in erasures { change.outbox.save(erasure) }
        for index in lanes.indices { lanes[index].refreshHead(from: outbox, rows) }
    }

    /// Adds the row of the state and the rows of changed decisions to the rows to commit.
    mutating func saveRows() {
        change.outbox.save(rows.state)
        let known = Dictionary(earlier.map { ($0.purpose, $0) }) { first, _ in first }
        for decision in rows.decisions where known[decision.purpose] != decision { change.outbox.save(decision) }
    }

    @discardableResult
    private mutating func removeQuarantined(
        on lane: LaneID,
        where isGone: (QuarantinedEvent) -> Bool
    ) -> [QuarantinedEvent] {
        guard let events = quarantined[lane] else { return [] }
        let known = Set(change.outbox.removedQuarantined)
        let gone = events.filter { !known.contains($0.id) && isGone($0) }
        for event in gone { change.outbox.remove(event) }
        return gone
    }
}

extension PrivacyDecision {
    /// The row of an erasure, or `nil` for a consent decision.
    var erasure: ErasureRow? {
        guard case .erasure(let user) = kind else { return nil }
        return ErasureRow(number: number, user: user)
    }
}
