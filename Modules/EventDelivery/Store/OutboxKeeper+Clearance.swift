import CoreTracker
import EventBuffer

/// The user's decisions and erasures, as they are stored beside the queue.
extension OutboxKeeper {
    /// The directory in which something can be stored beside the queue; `nil` if nothing is stored at all.
    ///
    /// Throws why nothing can be stored now.
    private func storageBesideQueue() throws(OutboxError) -> OutboxDirectory? {
        guard let url = directory else { return nil }
        if isClosed { return try hold(url) }
        guard !isUnavailable, let held, held.lock.isHeld else { throw failure ?? .missing }
        return held.directory
    }

    /// Stores decisions, so that they hold at the next start.
    func remember(_ words: [ConsentFile.Word]) throws(OutboxError) {
        defer { if isClosed { giveUpDirectory() } }
        guard let directory = try storageBesideQueue() else { return }
        try ConsentFile.write(words, in: directory)
    }

    /// Stores a decision although the queue file cannot be opened now; the next opening applies it.
    func rememberUnopened(_ consent: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        guard let url = directory, !isSuspended else { throw failure ?? .missing }
        defer { giveUpDirectory() }
        let directory = try hold(url)
        let stored = try ConsentFile.decisions(in: directory).words
        let known = stored.first { $0.purpose == purpose.name }
        let number = (stored.map(\.number).max() ?? 0) + 1
        let isDenied = consent == .denied
        let word = ConsentFile.Word(
            purpose: purpose.name,
            consent: consent.rawValue,
            number: number,
            owesPurge: isDenied || known?.owesPurge == true,
            denial: isDenied ? number : known?.denial ?? 0
        )
        try ConsentFile.write([word], in: directory)
        // It is this process's own, and not news at the opening.
        seen?.denials[purpose.name] = word.denial
    }

    /// Stores an erasure; returns its number, or 0 if nothing is stored at all.
    func remember(_ erasure: ErasureFile.Erasure, after known: UInt64) throws(OutboxError) -> UInt64 {
        guard let directory = try storageBesideQueue() else { return 0 }
        return try ErasureFile.add(erasure, after: known, in: directory)
    }

    /// Records that nothing is left of the events of erasures.
    func settle(_ erasures: Set<UInt64>) throws(OutboxError) {
        guard let directory = try storageBesideQueue() else { return }
        try ErasureFile.settle(erasures, in: directory)
    }
}

/// Which denials and erasures have been applied to the stored events.
extension OutboxKeeper {
    /// Records what has been applied, if that has changed.
    func note(_ clearance: Clearance, lanes: inout LaneTable) {
        guard clearance != self.clearance else { return }
        self.clearance = clearance
        var change = OutboxChange()
        change.clearance = clearance
        record(change, lanes: &lanes)
    }

    /// Records that a denial is stored beside the queue.
    func noteDenial(_ word: ConsentFile.Word) {
        denials[word.purpose] = max(denials[word.purpose] ?? 0, word.denial)
    }

    /// Records in the file which denials have been applied to all that it holds.
    func noteDenials(lanes: inout LaneTable) {
        guard var clearance else { return }
        for (purpose, denial) in denials where isApplied(purpose, in: lanes) {
            clearance.denials[purpose] = max(clearance.denials[purpose] ?? 0, denial)
        }
        note(clearance, lanes: &lanes)
    }

    /// Deletes what memory keeps of a lane, because nothing of it may be stored any more; returns how many events that
    /// were, which its ledger counts as lost by then.
    func forget(_ lane: inout LaneQueue) -> Int {
        let kept = outbox.takeOutKept(of: lane.stored)
        guard !kept.isEmpty else { return 0 }
        let lost = lane.lose(kept)
        lane.refreshHead(from: outbox)
        var change = OutboxChange()
        change.lanes = [lane.stored]
        outbox.keep(change)
        return lost
    }

    /// What has been applied once lanes have been purged.
    ///
    /// It is stored with the purge, so that no start deletes events that are stored afterwards.
    func clearance(purging owing: [Int], of lanes: LaneTable) -> Clearance? {
        guard var clearance else { return nil }
        for index in owing {
            let lane = lanes[index]
            let purpose = lane.stored.purpose
            guard isApplied(purpose, in: lanes, but: owing) else { continue }
            let known = [clearance.denials[purpose], denials[purpose], lane.consent.denial].compactMap { $0 }
            clearance.denials[purpose] = known.max()
        }
        return clearance
    }

    /// Whether the last denial of a purpose has been applied to all that is stored, but for lanes that are to be purged
    /// of it.
    private func isApplied(_ purpose: String, in lanes: LaneTable, but owing: [Int] = []) -> Bool {
        let last = lanes.lastDenial(about: purpose)
        return lanes.indices.allSatisfy { index in
            let lane = lanes[index]
            guard lane.stored.purpose == purpose else { return true }
            return lane.consent.denial >= last && (!lane.owesPurge || owing.contains(index))
        }
    }

    /// Whether the last denials have been applied to all that is stored.
    func isApplied(in lanes: LaneTable) -> Bool {
        Set(lanes.queues.map(\.stored.purpose)).allSatisfy { isApplied($0, in: lanes) }
    }

    /// Whether the file lacks a denial of a purpose: its process ended before it could delete the events.
    func hasMissedDenial(of purpose: String) -> Bool {
        guard let clearance else { return false }
        return clearance.denials[purpose] ?? 0 < denials[purpose] ?? 0
    }
}
