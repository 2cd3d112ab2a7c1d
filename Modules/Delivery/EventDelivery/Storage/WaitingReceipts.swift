import CoreTracker
import EventTracking

/// The receipts of events kept in memory until they can be stored.
struct WaitingReceipts {
    /// A receipt, with the properties of its event.
    struct Entry {
        let lane: Int
        let laneID: LaneID
        let user: UserHash
        /// The caller that waits, or `nil` if only the listeners of outcomes do.
        let waiting: PendingReceipt?
        var outcome = Receipt.Outcome.stored
    }

    private var entries: [EventID: Entry] = [:]

    /// Adds the receipt of an event.
    mutating func add(_ id: EventID, _ entry: Entry) { entries[id] = entry }

    /// Changes the outcome of the events that match a condition.
    mutating func lose(_ reason: DropReason, where isLost: (Entry) -> Bool) {
        for (id, entry) in entries where isLost(entry) { lose(id, reason) }
    }

    /// Changes the outcome of dropped events.
    mutating func lose(_ events: SettledEvents) {
        guard !entries.isEmpty, let reason = events.dropReason else { return }
        for id in events.ids { lose(id, reason) }
    }

    private mutating func lose(_ id: EventID, _ reason: DropReason) {
        // Only a caller needs the entry of a lost event.
        if entries[id]?.waiting == nil { entries[id] = nil } else { entries[id]?.outcome = .dropped(reason) }
    }

    /// Completes the receipts of events dropped for some reasons, or for any reason without them.
    mutating func completeLost(_ reasons: Set<DropReason>? = nil) {
        for (id, entry) in entries {
            guard case .dropped(let reason) = entry.outcome, reasons?.contains(reason) ?? true else { continue }
            entries.removeValue(forKey: id)?.waiting?.resume(returning: Receipt(id: id, outcome: entry.outcome))
        }
    }

    /// Completes the receipts of delivered or refused events, which no longer need to be stored.
    mutating func complete(_ events: SettledEvents) {
        guard !entries.isEmpty, events.dropReason == nil else { return }
        for id in events.ids where entries[id]?.outcome == .stored {
            entries.removeValue(forKey: id)?.waiting?.resume(returning: Receipt(id: id, outcome: .stored))
        }
    }

    /// Completes all receipts.
    ///
    /// - Parameter outcome: The outcome of each event, or `nil` for the outcome of its receipt.
    mutating func completeAll(_ outcome: Receipt.Outcome? = nil) {
        for (id, entry) in entries {
            entry.waiting?.resume(returning: Receipt(id: id, outcome: outcome ?? entry.outcome))
        }
        entries = [:]
    }

    /// All events except lost ones, in the order of their ids.
    var stored: [(id: EventID, lane: LaneID)] {
        entries.compactMap { $1.outcome == .stored ? (id: $0, lane: $1.laneID) : nil }.sorted(by: \.id)
    }
}
