import EventDeliveryAPI

extension LaneLedger {
    /// Continues this process's counts with the ledger of a file that was released and opened again.
    ///
    /// In the meantime, another process may have settled events of the file, or a commit may have reached it although
    /// the disk reported an error. Events settled since then are added to the counts of this process. Events that
    /// appeared since then are not: they count as pending at the opening, like events of an earlier run.
    ///
    /// Changes that are only in memory are discarded at the release. If an event was both accepted and settled in
    /// memory, it is added to the ledger. If only its outcome was in memory, it is pending again.
    ///
    /// - Parameters:
    ///   - known: The ledger at the release, including the changes in memory.
    ///   - opening: The ledger with which the counts of this process began before.
    ///   - lost: The number of pending events that were only in memory. The caller counts them.
    /// - Returns: The ledger with which the counts of this process begin now.
    mutating func continueCounts(of known: LaneLedger, since opening: LaneLedger, lost: Int) -> LaneLedger {
        var counted = known.since(opening)
        let missing = known.accepted.saturatingSubtract(lost).saturatingSubtract(accepted)
        restore(missing, counted: counted, found: since(opening))
        counted.quarantined = quarantined.saturatingSubtract(opening.quarantined)
        counted.delivered = counted.delivered.saturatingAdd(max(0, delivered.saturatingSubtract(known.delivered)))
        for (reason, count) in dropped { counted.drop(count.saturatingSubtract(known.dropped[reason] ?? 0), reason) }
        return since(counted)
    }

    /// Adds events that were accepted and settled only in memory.
    ///
    /// They have the outcomes that the file counts less often. A new count in the file can hide some of them, which have
    /// an outcome counted by both.
    ///
    /// - Parameters:
    ///   - count: The number of events.
    ///   - counted: The counts of this process.
    ///   - found: The same counts in the file.
    private mutating func restore(_ count: Int, counted: LaneLedger, found: LaneLedger) {
        var rest = max(0, count)
        let reasons: [DropReason?] = counted.dropped.keys.sorted { $0.name < $1.name } + [nil]
        for isHidden in [false, true] {
            for reason in reasons {
                let (known, stored) = (counted.settled(reason), found.settled(reason))
                let part = min(rest, max(0, isHidden ? min(known, stored) : known.saturatingSubtract(stored)))
                accepted = accepted.saturatingAdd(part)
                if let reason { drop(part, reason) } else { delivered = delivered.saturatingAdd(part) }
                rest -= part
            }
        }
    }

    /// Returns the number of events dropped for a reason, or of delivered events if the reason is `nil`.
    private func settled(_ reason: DropReason?) -> Int { reason.map { dropped[$0] ?? 0 } ?? delivered }
}
