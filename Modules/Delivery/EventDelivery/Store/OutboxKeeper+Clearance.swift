import CoreTracker
import EventBuffer

/// Storage of consent decisions and erasures next to the queue file.
extension OutboxKeeper {
    /// The directory for files next to the queue file, or `nil` if events are kept in memory only.
    ///
    /// - Throws: The error if files cannot be written now.
    private func storageBesideQueue() throws(OutboxError) -> OutboxDirectory? {
        guard let url = directory else { return nil }
        if isClosed { return try hold(url) }
        guard !isUnavailable, let held, held.lock.isHeld else { throw failure ?? .missing }
        return held.directory
    }

    /// Stores decisions for the next start.
    func remember(_ words: [StoredDecision]) throws(OutboxError) {
        defer { if isClosed { giveUpDirectory() } }
        guard let directory = try storageBesideQueue() else { return }
        try ConsentFile.write(words, in: directory)
    }

    /// Stores a decision while the queue file cannot be opened.
    ///
    /// It is applied when the directory is opened.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - purpose: The purpose of the decision.
    /// - Throws: The storage error, or the reason why the directory is unavailable.
    func rememberUnopened(_ consent: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        guard let url = directory, !isSuspended else { throw failure ?? .missing }
        defer { giveUpDirectory() }
        let directory = try hold(url)
        let stored = try ConsentFile.decisions(in: directory).words
        let known = stored.first { $0.purpose == purpose.name }
        let number = (stored.map(\.number).max() ?? 0) + 1
        let isDenied = consent == .denied
        let word = StoredDecision(
            purpose: purpose.name,
            consent: consent.rawValue,
            number: number,
            owesPurge: isDenied || known?.owesPurge == true,
            denial: isDenied ? number : known?.denial ?? 0
        )
        try ConsentFile.write([word], in: directory)
        // At the opening, this denial must not count as one of another process.
        seen?.denials[purpose.name] = word.denial
    }

    /// Stores an erasure.
    ///
    /// - Parameters:
    ///   - erasure: The erasure.
    ///   - known: The greatest number of a stored erasure so far.
    /// - Returns: The erasure's number, or 0 if events are kept in memory only.
    /// - Throws: The error if it could not be stored.
    func remember(_ erasure: Erasure, after known: UInt64) throws(OutboxError) -> UInt64 {
        guard let directory = try storageBesideQueue() else { return 0 }
        return try ErasureFile.add(erasure, after: known, in: directory)
    }

    /// Records that all events covered by the given erasures are deleted.
    func settle(_ erasures: Set<UInt64>) throws(OutboxError) {
        guard let directory = try storageBesideQueue() else { return }
        try ErasureFile.settle(erasures, in: directory)
    }
}

/// Which denials and erasures have been applied to the stored events.
extension OutboxKeeper {
    /// Stores which denials and erasures have been applied, if that has changed.
    func note(_ clearance: Clearance, lanes: inout LaneTable) {
        guard clearance != self.clearance else { return }
        self.clearance = clearance
        var change = OutboxChange()
        change.clearance = clearance
        record(change, lanes: &lanes)
    }

    /// Records that a denial is stored in the consent file.
    func noteDenial(_ word: StoredDecision) {
        denials[word.purpose] = max(denials[word.purpose] ?? 0, word.denial)
    }

    /// Stores in the queue file which denials have been applied to all its events.
    func noteDenials(lanes: inout LaneTable) {
        guard var clearance else { return }
        for (purpose, denial) in denials where isApplied(purpose, in: lanes) {
            clearance.denials[purpose] = max(clearance.denials[purpose] ?? 0, denial)
        }
        note(clearance, lanes: &lanes)
    }

    /// Deletes a lane's events in memory because they must not be stored any more.
    ///
    /// - Returns: The number of deleted events. The lane's ledger counts them as lost.
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

    /// Returns the applied denials and erasures after the given lanes are purged.
    ///
    /// They are stored together with the purge. A later start then does not delete newer events.
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

    /// Whether the last denial of a purpose has been applied to all stored events.
    ///
    /// - Parameters:
    ///   - purpose: The name of the purpose.
    ///   - lanes: All lanes.
    ///   - owing: The indices of lanes that are being purged, whose pending deletion is ignored.
    private func isApplied(_ purpose: String, in lanes: LaneTable, but owing: [Int] = []) -> Bool {
        let last = lanes.lastDenial(about: purpose)
        return lanes.indices.allSatisfy { index in
            let lane = lanes[index]
            guard lane.stored.purpose == purpose else { return true }
            return lane.consent.denial >= last && (!lane.owesPurge || owing.contains(index))
        }
    }

    /// Whether the last denial of each purpose has been applied to all stored events.
    func isApplied(in lanes: LaneTable) -> Bool {
        Set(lanes.queues.map(\.stored.purpose)).allSatisfy { isApplied($0, in: lanes) }
    }

    /// Whether the queue file does not record the last denial of a purpose.
    ///
    /// The process then ended before it could delete the events.
    func hasMissedDenial(of purpose: String) -> Bool {
        guard let clearance else { return false }
        return clearance.denials[purpose] ?? 0 < denials[purpose] ?? 0
    }
}
