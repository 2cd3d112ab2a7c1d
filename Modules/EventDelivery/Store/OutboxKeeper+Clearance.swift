import CoreTracker
import EventBuffer

/// What the user has said, as it is stored beside the queues.
extension OutboxKeeper {
    /// The decisions of earlier runs and of other processes.
    ///
    /// Throws an error if they cannot be read for now.
    func storedDecisions() throws(OutboxError) -> ConsentFile.Decisions {
        guard directory != nil else { return ConsentFile.Decisions() }
        guard let outboxDirectory else { throw failure ?? .missing }
        let modification = ConsentFile.modification(in: outboxDirectory)
        let decisions = try ConsentFile.decisions(in: outboxDirectory)
        wordsSeen = modification
        return decisions
    }

    /// Makes the consent file if there is none, while the directory can be written.
    func makeConsentFile() {
        guard directory != nil, let outboxDirectory else { return }
        try? ConsentFile.make(in: outboxDirectory)
    }

    /// The words that are stored, where any process has stored some since this one looked last; `nil` otherwise.
    func newWords() -> [ConsentFile.Word]? {
        guard !isSuspended, let outboxDirectory, hasNewWords(outboxDirectory) else { return nil }
        return try? storedDecisions().words
    }

    /// Whether any process has stored words since this one looked last.
    func hasNewWords(_ directory: OutboxDirectory) -> Bool {
        ConsentFile.modification(in: directory) != wordsSeen
    }

    /// Where something is stored beside the queues; `nil` where nothing is stored at all.
    ///
    /// Throws why nothing can be stored now.
    func storageBesideQueues() throws(OutboxError) -> OutboxDirectory? {
        guard directory != nil else { return nil }
        guard !isSuspended else { throw .suspended }
        guard let outboxDirectory else { throw failure ?? .missing }
        return outboxDirectory
    }

    /// Stores what is said after the stored words, which it is told and has to learn, so that it holds at the next
    /// start and reaches other processes.
    func remember(_ words: ([ConsentFile.Word]) -> [ConsentFile.Word]) throws(OutboxError) {
        guard let outboxDirectory = try storageBesideQueues() else { return }
        wordsSeen = try ConsentFile.update(in: outboxDirectory, words)
    }
}

/// What was asked to be erased, as it is stored beside the queues.
extension OutboxKeeper {
    /// What this and other processes were asked to erase; `nil` where it cannot be read for now.
    func storedErasures() -> [ErasureFile.Erasure]? {
        guard directory != nil else { return [] }
        guard let outboxDirectory else { return nil }
        let modification = ErasureFile.modification(in: outboxDirectory)
        guard let erasures = try? ErasureFile.believed(in: outboxDirectory) else { return nil }
        erasuresSeen = modification
        return erasures
    }

    /// The erasures of the directory, where another process has stored any since this one looked last.
    func newErasures() -> [ErasureFile.Erasure]? {
        guard !isSuspended, let outboxDirectory, ErasureFile.modification(in: outboxDirectory) != erasuresSeen else {
            return nil
        }
        return storedErasures()
    }

    /// Stores what is to be erased; returns its number, or 0 where nothing is stored at all.
    func remember(_ erasure: ErasureFile.Erasure, after known: UInt64) throws(OutboxError) -> UInt64 {
        guard let outboxDirectory = try storageBesideQueues() else { return 0 }
        return try ErasureFile.add(erasure, after: known, in: outboxDirectory)
    }

    /// Erases from an ended process's contents what that process had not learnt of, but for its books; returns how many
    /// events of each lane those were.
    func eraseMissed(from contents: inout OutboxContents) throws(OutboxError) -> [LaneID: Erased] {
        guard let outboxDirectory else { return [:] }
        let missed = try ErasureFile.missed(after: contents.clearance?.erasure, in: outboxDirectory)
        guard !missed.isEmpty else { return [:] }
        func isErased(_ user: UserMark?) -> Bool { missed.contains { $0.concerns(user) } }
        let names = Dictionary(contents.lanes.map { ($0.number, $0.id) }) { first, _ in first }
        var all: [LaneID: Erased] = [:]
        for pack in contents.packs + contents.held where isErased(pack.user) {
            if let lane = names[pack.place.lane] { all[lane, default: Erased()].events += pack.count }
        }
        for event in contents.quarantined where isErased(event.user) {
            all[event.lane, default: Erased()].events += 1
            all[event.lane, default: Erased()].quarantined += 1
        }
        contents.packs.removeAll { isErased($0.user) }
        contents.held.removeAll { isErased($0.user) }
        contents.quarantined.removeAll { isErased($0.user) }
        let places = Set(contents.packs.map(\.place))
        contents.batches.removeAll { !$0.packs.allSatisfy(places.contains) }
        return all
    }

    /// Says what was left out of a file that has been taken over.
    func tell(_ erased: [LaneID: Erased]) {
        for (lane, erased) in erased {
            erasedOnAdoption += erased.events
            diagnostics.send(.dropped(lane: lane, reason: .erased, count: erased.events))
        }
    }

    /// Notes that nothing is left of what was to be erased.
    func settle(_ erasures: Set<UInt64>) throws(OutboxError) {
        guard !isSuspended, let outboxDirectory else { return }
        try ErasureFile.settle(erasures, in: outboxDirectory)
    }
}

/// How far what is stored is cleared of what was denied and erased.
extension OutboxKeeper {
    /// Notes how far all that the outbox holds is cleared, where that is news.
    func note(_ clearance: Clearance, lanes: inout LaneTable) {
        guard clearance != self.clearance else { return }
        self.clearance = clearance
        var change = OutboxChange()
        change.clearance = clearance
        record(change, lanes: &lanes)
    }

    /// Notes that a denial is stored beside the queues.
    func noteDenial(_ word: ConsentFile.Word) {
        denials[word.purpose] = max(denials[word.purpose] ?? 0, word.denial)
    }

    /// Notes in the file which denials have taken effect on all that it holds.
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

    /// How far all that is stored is cleared once lanes have been purged.
    ///
    /// It is noted with the purge, so that no start takes what is stored afterwards for what was refused.
    func clearance(purging owing: [Int], of lanes: LaneTable) -> Clearance? {
        guard var clearance else { return nil }
        for index in owing {
            let lane = lanes[index]
            let purpose = lane.stored.purpose
            // What has been learnt since concerns what is stored after this, too.
            guard isApplied(purpose, in: lanes, but: owing) else { continue }
            let known = [clearance.denials[purpose], denials[purpose], lane.consent.denial].compactMap { $0 }
            clearance.denials[purpose] = known.max()
        }
        return clearance
    }

    /// Whether the last denial of a purpose has taken effect on all that is stored, but for lanes that are to be purged
    /// of it.
    private func isApplied(_ purpose: String, in lanes: LaneTable, but owing: [Int] = []) -> Bool {
        let last = lanes.lastDenial(about: purpose)
        return lanes.indices.allSatisfy { index in
            let lane = lanes[index]
            guard lane.stored.purpose == purpose else { return true }
            return lane.consent.denial >= last && (!lane.owesPurge || owing.contains(index))
        }
    }

    /// Whether the last denials have taken effect on all that is stored.
    func isApplied(in lanes: LaneTable) -> Bool {
        Set(lanes.queues.map(\.stored.purpose)).allSatisfy { isApplied($0, in: lanes) }
    }

    /// Whether what a file holds for a purpose was stored before a denial that its process had not learnt of.
    func hasMissedDenial(_ clearance: Clearance?, of purpose: String, orElse denial: UInt64 = 0) -> Bool {
        guard let clearance else { return false }
        return clearance.denials[purpose] ?? 0 < max(denials[purpose] ?? 0, denial)
    }

    /// What holds for events of a lane that an ended process has left: nothing that was denied since, though the user
    /// has agreed again by now.
    func consent(for stored: StoredLane, clearedAs clearance: Clearance?, in lanes: inout LaneTable) -> Consent {
        let index = lanes.index(of: stored.id)
        // One that was said may not have been stored yet.
        let said = lanes.lastDenial(about: stored.purpose)
        let last = max(denials[stored.purpose] ?? 0, said)
        if lanes[index].destination == nil, lanes[index].stored.purpose.isEmpty {
            // No word reaches it before it is known which purpose it serves.
            lanes[index].consent.denial = last
        }
        // Of a file without a note nobody knows what its process had learnt, nor where the words were damaged and have
        // been replaced, so that the numbers start again.
        let isUnknown = clearance.map { $0.denials[stored.purpose] ?? 0 > last } ?? true
        let isOwed = said > 0 || unfinished.contains(stored.purpose) || lanes[index].consent.consent == .denied
        let isRefused = isUnknown && isOwed || hasMissedDenial(clearance, of: stored.purpose, orElse: said)
        return isRefused ? .denied : lanes.lastConsent(of: index)
    }

    /// Whether an ended process may have learnt of an erasure or a denial that has not taken effect here: what it
    /// tracked after that would be deleted with what is still to be deleted here, so that its file has to wait.
    func isAhead(_ other: Clearance?, of lanes: LaneTable) -> Bool {
        guard let other, let outboxDirectory else { return false }
        if other.erasure > clearance?.erasure ?? 0, ErasureFile.modification(in: outboxDirectory) != erasuresSeen {
            return true
        }
        return lanes.queues.contains {
            let purpose = $0.stored.purpose
            guard let denial = other.denials[purpose], denial <= denials[purpose] ?? 0 else { return false }
            return $0.owesPurge || $0.consent.denial < lanes.lastDenial(about: purpose)
        }
    }
}

/// How many events of a lane have been erased, and how many of them were quarantined.
struct Erased {
    var (events, quarantined) = (0, 0)
}
