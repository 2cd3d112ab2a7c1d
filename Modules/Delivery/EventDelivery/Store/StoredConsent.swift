import CoreTracker
import EventBuffer

/// A component that applies the user's consent decisions to the stored events.
///
/// The event buffer owns the decisions. This type copies the latest decision to each lane, deletes the events that a
/// denial covers, and stores the decisions. It is confined to the store's executor.
final class StoredConsent {
    private let books: LaneBooks
    private let configuration: DeliveryConfiguration
    /// The decision for each purpose that has none in this run.
    private var earlier: EarlierConsent
    /// The stored decisions of an earlier run whose deletion is still pending.
    private var owed: [StoredDecision] = []
    /// Whether a decision of this run could not be stored yet.
    private var isUnstored = false
    /// The sequence numbers of denials that another process stored and that replaced a grant of this process.
    private var merged: [ConsentPurpose: UInt64] = [:]
    /// Whether the stored decisions have been restored.
    private var isRestored = false

    init(_ books: LaneBooks, configuration: DeliveryConfiguration) {
        self.books = books
        self.configuration = configuration
        earlier = EarlierConsent(ConsentFile.Decisions(), configuration: configuration)
    }

    /// Applies the current decisions to the events of earlier runs.
    ///
    /// Sends a diagnostic for each purpose whose consent is only assumed.
    func applyToBacklog() {
        let consents = books.buffer.withLanes { $0.consents }
        for purpose in Set(configuration.destinations.map(\.purpose)) where consents[purpose] == nil {
            if earlier.consent(for: purpose) == .granted { books.diagnostics.send(.consentAssumed(purpose)) }
        }
        applyEarlier()
    }

    /// Treats each purpose as undecided until the stored decisions are known, unless the configuration denies it.
    func awaitDecisions() {
        books.buffer.serve(configuration.destinations) { configuration.consent[$0] == .denied ? .denied : .unknown }
    }

    /// Restores the stored decisions, and numbers the decisions of this run after them.
    ///
    /// - Parameters:
    ///   - stored: The decisions in the consent file.
    ///   - seen: The sequence number of the last denial of each purpose before another process could use the directory,
    ///     or `nil` if no other process could. A denial that the other process stored since then overrides a grant of
    ///     this run.
    func restore(_ stored: ConsentFile.Decisions, after seen: [String: UInt64]?) {
        let last = stored.words.map(\.number).max() ?? 0
        for word in stored.words { books.keeper.noteDenial(word) }
        earlier = EarlierConsent(stored, configuration: configuration)
        owed = stored.words.filter(\.owesPurge)
        books.buffer.serve(
            configuration.destinations,
            after: last,
            said: earlier.said,
            initially: earlier.consent(for:)
        )
        merged = [:]
        if let seen { for word in stored.words { merge(word, after: seen[word.purpose] ?? 0) } }
        isRestored = true
    }

    /// Applies a decision that another process stored while this process waited.
    private func merge(_ word: StoredDecision, after seen: UInt64) {
        let (purpose, consent) = (ConsentPurpose(word.purpose), Consent(rawValue: word.consent) ?? .unknown)
        let own = books.buffer.withLanes { $0.words[purpose] } ?? .initial(.unknown)
        let isOwn = own.number > 0
        // Events that were tracked before a denial are deleted, even if the user has agreed again since.
        let isNewDenial = word.denial > seen
        if isNewDenial {
            books.buffer.say(.denied, about: purpose)
            merged[purpose] = books.buffer.withLanes { $0.words[purpose]?.number }
        }
        let isOwnDenial = own.consent == .denied && isOwn && (isUnstored || !isRestored)
        guard consent != .denied, isNewDenial || isOwn && isRestored, !isOwnDenial else { return }
        books.buffer.say(consent, about: purpose)
    }

    /// Whether a denial of another process has replaced a grant of this process, and is still in effect.
    func isOverruled(_ purpose: ConsentPurpose) -> Bool {
        merged[purpose].map { number in books.buffer.withLanes { $0.words[purpose]?.number == number } } ?? false
    }

    /// Makes the pending deletions of earlier runs, then applies the current decisions.
    private func applyEarlier() {
        clearOwn()
        serveForgotten()
        books.keeper.unfinished.formUnion(owed.map(\.purpose))
        for index in books.lanes.indices where !books.lanes[index].stored.purpose.isEmpty {
            let lane = books.lanes[index]
            // A denial also deletes the leftover bytes of delivered events, even if consent was granted again later.
            if lane.consent.denial > 0 {
                books.lanes[index].deny(lane.consent)
                continue
            }
            let ledger = lane.stored.ledger
            switch lane.consent.consent {
            case .denied where ledger.pending + ledger.quarantined > 0: books.lanes[index].deny(lane.consent)
            case .granted where lane.usage.heldEvents > 0: books.releaseHeld([index])
            case .denied, .granted, .unknown: break
            }
        }
        purgeOwed()
        books.keeper.noteDenials(lanes: &books.lanes)
        accept(books.buffer.withLanes { $0.lastWords })
        remember()
        books.updateInstallation()
    }

    /// Deletes the events whose denial the queue file does not record, before new events are added.
    ///
    /// This happens if the previous process ended before it could delete them. If the file's record is lost, every
    /// purpose with a pending deletion counts as missed.
    private func clearOwn() {
        let owed = Set(owed.map(\.purpose))
        let missed = books.lanes.indices.filter {
            let purpose = books.lanes[$0].stored.purpose
            let isUnknown = books.keeper.clearance == nil && owed.contains(purpose)
            return books.keeper.hasMissedDenial(of: purpose) || isUnknown
        }
        guard !missed.isEmpty else { return }
        for index in missed { books.lanes[index].deny(books.lanes[index].consent) }
        purge(missed)
    }

    /// Marks the pending deletions of earlier runs as done, so a later start does not delete newer events.
    ///
    /// Then applies the current decisions again.
    private func settleOwed() {
        guard !owed.isEmpty else { return }
        for index in owed.indices { owed[index].owesPurge = false }
        // If this cannot be stored, the next start repeats the deletion.
        try? books.keeper.remember(owed)
        owed = []
        remember()
        accept(books.buffer.withLanes { $0.lastWords })
    }

    /// Stores the decisions before they take effect.
    ///
    /// A denial is stored with a pending deletion. If the process is killed before the deletion is done, the next start
    /// makes it.
    ///
    /// - Returns: The error if the decisions could not be stored.
    func announce() -> OutboxError? {
        remember(isAnnounced: true)
    }

    /// Whether a lane has not applied the latest decision yet.
    var isBehind: Bool {
        books.buffer.withLanes { known in
            books.lanes.indices.contains {
                let (said, applied) = (known.lanes[$0].consent, books.lanes[$0].consent)
                return said.number != applied.number
                    || !books.lanes[$0].owesPurge && said.isDenied != (applied.consent == .denied)
            }
        }
    }

    /// Applies the latest decisions.
    ///
    /// Events that were tracked before them must be stored first.
    func applyLast() {
        let words = books.buffer.withLanes { $0.lastWords }
        refuse(words)
        accept(words)
    }

    /// Applies denials, including those that a later grant has replaced.
    func refuse(_ words: [ConsentWord]) {
        let refused = books.lanes.indices.filter {
            $0 < words.count && words[$0].denial > books.lanes[$0].consent.denial
        }
        guard !refused.isEmpty else { return }
        for index in refused { books.lanes[index].deny(words[index]) }
        purgeOwed()
        books.keeper.noteDenials(lanes: &books.lanes)
    }

    /// Applies each decision whose earlier denials have been applied.
    ///
    /// A lane with a pending deletion stays denied.
    func accept(_ words: [ConsentWord]) {
        let changed = books.lanes.indices.filter {
            guard $0 < words.count, !books.lanes[$0].owesPurge else { return false }
            let (word, applied) = (words[$0], books.lanes[$0].consent)
            return word != applied && word.denial <= applied.denial && word.number >= applied.number
        }
        guard !changed.isEmpty else { return }
        for index in changed {
            let applied = books.lanes[index].consent.denial
            books.lanes[index].consent = words[index]
            // The denial may have been given a greater number in the meantime.
            books.lanes[index].consent.denial = applied
        }
        if books.lanes.mayIdentify { books.updateInstallation() }
        books.releaseHeld(
            changed.filter { books.lanes[$0].consent.consent == .granted && books.lanes[$0].usage.heldEvents > 0 }
        )
        books.lanes.publish(changed)
        books.finishTurn()
    }

    /// Makes all pending deletions.
    ///
    /// - Parameter denied: A purpose whose events damaged files may contain, although no lane has a pending deletion.
    /// - Returns: The error if some data could not be deleted.
    @discardableResult
    func purgeOwed(_ denied: ConsentPurpose? = nil) -> OutboxError? {
        serveForgotten()
        let isLate = !books.keeper.unfinished.isEmpty
        if let denied { books.keeper.unfinished.insert(denied.name) }
        let owing = books.lanes.owing
        guard !owing.isEmpty || !books.keeper.unfinished.isEmpty else { return nil }
        let obstacle = owing.isEmpty && !isLate ? books.keeper.removeDamaged() : purge(owing)
        books.updateInstallation()
        if let obstacle = obstacle ?? books.keeper.unreachable { return obstacle }
        books.keeper.unfinished = []
        settleOwed()
        // The consent file still lists the deletion as pending.
        if isLate { remember() }
        return nil
    }

    /// Deletes all stored events of the given lanes.
    ///
    /// - Parameter owing: The indices of the lanes with a pending deletion.
    /// - Returns: An error if some data could not be deleted. The deletion of those lanes stays pending.
    @discardableResult
    private func purge(_ owing: [Int]) -> OutboxError? {
        books.keeper.unfinished.formUnion(owing.map { books.lanes[$0].stored.purpose })
        // Events in memory are deleted even if the disk fails, and their receipts are completed.
        var lost = owing.map { books.keeper.forget(&books.lanes[$0]) }
        books.keeper.confirm(lanes: owing, .lost(.consentDenied))
        defer { tell(lost, of: owing) }
        let purged = owing.map { books.lanes[$0].purged() }
        let clearance = books.keeper.clearance(purging: owing, of: books.lanes)
        var change = OutboxChange()
        change.clearance = clearance
        let leftover: OutboxError?
        do throws(OutboxError) {
            leftover = try books.keeper.purge(purged.map(\.row), with: change)
        } catch {
            books.keeper.failed(error)
            return error
        }
        books.keeper.clearance = clearance
        lost = zip(lost, purged).map { $0 + $1.lost }
        books.statuses.forget(Set(owing.map { books.lanes[$0].id }))
        for (index, purged) in zip(owing, purged) {
            books.lanes[index].finishPurge(purged.row)
            books.lanes[index].owesPurge = leftover != nil
        }
        return leftover
    }

    /// Reports the events that lanes lost to denials.
    private func tell(_ lost: [Int], of lanes: [Int]) {
        for (index, count) in zip(lanes, lost) where count > 0 {
            books.diagnostics.send(.dropped(lane: books.lanes[index].id, reason: .consentDenied, count: count))
        }
        books.lanes.publish(lanes)
        books.finishTurn()
    }

    /// Stores the decisions and the installation's ID and makes the deletions that failed while the storage was
    /// unavailable.
    func catchUp() {
        purgeOwed()
        guard books.keeper.failure == nil else { return }
        remember()
        books.updateInstallation()
    }

    /// Completes the deletions of a decision that was just applied, and stores the decisions.
    ///
    /// - Parameters:
    ///   - word: The decision.
    ///   - purpose: The purpose of the decision.
    /// - Throws: `OutboxError.notStored` if the decision is not stored. Any other error means that events of a denied
    ///   purpose could not be deleted yet. Their deletion stays pending.
    func finish(_ word: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        let failure = purgeOwed(word == .denied ? purpose : nil)
        if let unstored = remember() { throw .notStored(unstored) }
        // A grant has taken effect unless a pending deletion delays it.
        if let failure, word == .denied || !books.lanes.owing.isEmpty { throw failure }
    }

    /// Stores the decisions that could not be stored earlier, if there are any.
    func storeLate() {
        if isUnstored { remember() }
    }

    /// Stores the decisions of this run.
    ///
    /// - Parameter isAnnounced: Whether denials that are not applied yet are stored with a pending deletion.
    /// - Returns: The error if they could not be stored.
    @discardableResult
    private func remember(isAnnounced: Bool = false) -> OutboxError? {
        let obstacle = store(isAnnounced: isAnnounced)
        isUnstored = obstacle != nil
        return obstacle
    }

    private func store(isAnnounced: Bool) -> OutboxError? {
        guard !said.isEmpty else { return nil }
        let words = said.map { fileWord($1, about: $0, isAnnounced: isAnnounced) }
        // If the process is killed here, the next start must not delete events that were tracked after the denial.
        for word in words { books.keeper.noteDenial(word) }
        books.keeper.noteDenials(lanes: &books.lanes)
        do throws(OutboxError) {
            try books.keeper.remember(words)
            return nil
        } catch {
            return error
        }
    }

    /// The decisions of this run.
    private var said: [ConsentPurpose: ConsentWord] {
        books.buffer.withLanes { $0.words.filter { $0.value.number > 0 } }
    }

    /// Returns a decision in its stored form.
    private func fileWord(_ word: ConsentWord, about purpose: ConsentPurpose, isAnnounced: Bool) -> StoredDecision {
        let isOwed = books.keeper.unfinished.contains(purpose.name) || owed.contains { $0.purpose == purpose.name }
        let isOwing = books.lanes.queues.contains { $0.owesPurge && $0.stored.purpose == purpose.name }
        return StoredDecision(
            purpose: purpose.name,
            consent: word.consent.rawValue,
            number: word.number,
            owesPurge: isOwed || isOwing || isAnnounced && !isApplied(word, to: purpose),
            denial: word.denial
        )
    }

    /// Whether all lanes with this purpose have applied every denial up to this decision.
    ///
    /// It is `false` for a denied purpose without a lane, because a damaged file may contain events of it.
    private func isApplied(_ word: ConsentWord, to purpose: ConsentPurpose) -> Bool {
        guard word.denial > 0 else { return true }
        let lanes = books.lanes.queues.filter { $0.stored.purpose == purpose.name }
        return !lanes.isEmpty && lanes.allSatisfy { $0.consent.denial >= word.denial }
    }

    /// Applies decisions to stored lanes that have no destination in this run, by the purpose in their row.
    private func serveForgotten() {
        for index in books.lanes.indices
        where books.lanes[index].destination == nil && !books.lanes[index].stored.purpose.isEmpty {
            let purpose = ConsentPurpose(books.lanes[index].stored.purpose)
            let word: ConsentWord? = books.buffer.withLanes { known in
                guard known.lanes[index].purpose == nil else { return nil }
                known.serve(index, purpose: purpose, initially: earlier.consent(for: purpose))
                return known.word(of: index)
            }
            guard let word else { continue }
            if word.consent == .denied || word.denial > books.lanes[index].consent.denial {
                books.lanes[index].deny(word)
            } else {
                books.lanes[index].consent = word
            }
        }
    }
}
