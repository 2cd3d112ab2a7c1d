import CoreTracker
import EventTracking

/// A lane at the release of the directory.
struct ReleasedLane {
    /// The ledger in the file, without the changes in memory.
    let ledger: LaneLedger
    /// The number of lost events: pending or quarantined, and only in memory.
    let lost: Int
    /// The number of lost events that are quarantined.
    let lostQuarantined: Int

    /// Creates a lane.
    ///
    /// - Parameters:
    ///   - known: The ledger with the changes in memory.
    ///   - stored: The ledger in the file, or `nil` if the file cannot be read.
    ///   - pending: The number of pending events that are only in memory.
    ///   - quarantined: The number of events quarantined only in memory.
    init(known: LaneLedger, stored: LaneLedger?, pending: Int, quarantined: Int) {
        var ledger = stored ?? known
        if stored == nil { ledger.accepted = known.accepted.saturatingSubtract(pending + quarantined) }
        self.ledger = ledger
        // An event can be quarantined in memory and pending in the file.
        lost = min(pending + quarantined, max(0, known.accepted.saturatingSubtract(ledger.accepted)))
        lostQuarantined = max(0, lost - pending)
    }

    /// Returns the number of pending and quarantined events missing in an opened file.
    ///
    /// - Parameter opened: The ledger in the opened file.
    func missing(in opened: LaneLedger) -> Int {
        let difference = ledger.accepted.saturatingSubtract(opened.accepted)
        return min(max(0, difference), ledger.pending.saturatingAdd(ledger.quarantined))
    }
}

extension LaneLedger {
    /// Continues this process's counts with the ledger of a file that was released and opened again.
    ///
    /// In the meantime, another process may have settled events of the file, or a commit may have reached it in spite of
    /// an error. Newly settled events are added to the counts of this process. New events count as pending at the
    /// opening, like events of an earlier run.
    ///
    /// The release discards the changes in memory. Events accepted and settled in memory are added to the ledger, unless
    /// the file counts them. Events settled only in memory are pending again.
    ///
    /// - Parameters:
    ///   - known: The ledger at the release, including the changes in memory.
    ///   - opening: The ledger with which the counts of this process began before.
    ///   - released: The lane at the release. The caller counts its lost events.
    /// - Returns: The ledger with which the counts of this process begin now.
    mutating func continueCounts(of known: LaneLedger, since opening: LaneLedger, _ released: ReleasedLane)
        -> LaneLedger
    {
        var counted = known.since(opening)
        addSettled(of: known.since(released.ledger), upTo: known.accepted.saturatingSubtract(accepted), released.lost)
        counted.quarantined = quarantined.saturatingSubtract(opening.quarantined)
        counted.delivered = counted.delivered.saturatingAdd(max(0, delivered.saturatingSubtract(known.delivered)))
        for (reason, count) in dropped { counted.drop(count.saturatingSubtract(known.dropped[reason] ?? 0), reason) }
        return since(counted)
    }

    /// Adds events accepted and settled only in memory.
    ///
    /// - Parameters:
    ///   - unstored: The counts of the changes in memory.
    ///   - limit: The number of accepted events missing in the file.
    ///   - lost: The number of accepted events without an outcome.
    private mutating func addSettled(of unstored: LaneLedger, upTo limit: Int, _ lost: Int) {
        var rest = max(0, min(limit, unstored.accepted).saturatingSubtract(lost))
        for reason in unstored.dropped.keys.sorted(by: \.name) + [nil] {
            let part = min(rest, max(0, reason.map { unstored.dropped[$0] ?? 0 } ?? unstored.delivered))
            accepted = accepted.saturatingAdd(part)
            if let reason { drop(part, reason) } else { delivered = delivered.saturatingAdd(part) }
            rest -= part
        }
    }
}
