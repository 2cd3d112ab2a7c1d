import CoreTracker
import EventBuffer

/// Brings what is stored in line with what the user says.
///
/// It is confined to the store's executor. The words are the intake's; here each lane comes to hold the last one about
/// its purpose, and what a denial refuses is deleted.
final class StoredConsent {
    private let books: LaneBooks
    private let configuration: DeliveryConfiguration
    /// What holds for a purpose about which nothing has been said in this run.
    private var earlier: EarlierConsent
    /// The words of an earlier run that owe a purge still, because it could not be made any more.
    private var owed: [ConsentFile.Word] = []
    /// Whether a decision of this run could not be stored yet.
    private var isUnstored = false
    /// The denials of another process that took the place of a grant of this one, by number.
    private var merged: [ConsentPurpose: UInt64] = [:]
    /// Whether the stored decisions have been restored.
    private var isRestored = false

    init(_ books: LaneBooks, configuration: DeliveryConfiguration) {
        self.books = books
        self.configuration = configuration
        earlier = EarlierConsent(ConsentFile.Decisions(), configuration: configuration)
    }

    /// Applies what the user says now to what an earlier run has left.
    func applyToBacklog() {
        let consents = books.intake.withLanes { $0.consents }
        for purpose in Set(configuration.destinations.map(\.purpose)) where consents[purpose] == nil {
            if earlier.consent(for: purpose) == .granted { books.diagnostics.send(.consentAssumed(purpose)) }
        }
        applyEarlier()
    }

    /// Lets nothing be decided for the user until the stored decisions are known.
    func awaitDecisions() {
        books.intake.serve(configuration.destinations) { configuration.consent[$0] == .denied ? .denied : .unknown }
    }

    /// Restores the stored decisions; those of this run follow them.
    ///
    /// - Parameter seen: The last denial of each purpose before another process could use the directory; `nil` if none
    ///   could. A denial that it has stored since beats what has been granted here meanwhile.
    func restore(_ stored: ConsentFile.Decisions, after seen: [String: UInt64]?) {
        let last = stored.words.map(\.number).max() ?? 0
        for word in stored.words { books.keeper.noteDenial(word) }
        earlier = EarlierConsent(stored, configuration: configuration)
        owed = stored.words.filter(\.owesPurge)
        books.intake.serve(
            configuration.destinations,
            after: last,
            said: earlier.said,
            initially: earlier.consent(for:)
        )
        merged = [:]
        if let seen { for word in stored.words { merge(word, after: seen[word.purpose] ?? 0) } }
        isRestored = true
    }

    /// Lets a decision hold that another process has stored while this one waited.
    private func merge(_ word: ConsentFile.Word, after seen: UInt64) {
        let (purpose, consent) = (ConsentPurpose(word.purpose), Consent(rawValue: word.consent) ?? .unknown)
        let own = books.intake.withLanes { $0.words[purpose] } ?? .initial(.unknown)
        let isOwn = own.number > 0
        // What was tracked before a denial is refused, also if the user has agreed again since.
        let isNewDenial = word.denial > seen
        if isNewDenial {
            books.intake.say(.denied, about: purpose)
            merged[purpose] = books.intake.withLanes { $0.words[purpose]?.number }
        }
        let isOwnDenial = own.consent == .denied && isOwn && (isUnstored || !isRestored)
        guard consent != .denied, isNewDenial || isOwn && isRestored, !isOwnDenial else { return }
        books.intake.say(consent, about: purpose)
    }

    /// Whether the denial of another process is in force that took the place of a grant of this one.
    func isOverruled(_ purpose: ConsentPurpose) -> Bool {
        merged[purpose].map { number in books.intake.withLanes { $0.words[purpose]?.number == number } } ?? false
    }

    /// Makes the purges that earlier runs owe, whatever is said now, and applies the words that hold.
    private func applyEarlier() {
        clearOwn()
        serveForgotten()
        books.keeper.unfinished.formUnion(owed.map(\.purpose))
        for index in books.lanes.indices where !books.lanes[index].stored.purpose.isEmpty {
            let lane = books.lanes[index]
            // A denial of this run reaches the bytes of what was delivered, too, whatever has been said after it.
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
        accept(books.intake.withLanes { $0.lastWords })
        remember()
        books.updateInstallation()
    }

    /// Deletes from the queue file what was denied before the last process could do it, before anything is added to it.
    ///
    /// Of a file whose record is lost, nobody knows that.
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

    /// Notes that what earlier runs owed is done, so that no later start takes what was stored since for theirs, and
    /// lets the words hold again that were said since.
    private func settleOwed() {
        guard !owed.isEmpty else { return }
        for index in owed.indices { owed[index].owesPurge = false }
        // Where it cannot be noted, the next start does it once more.
        try? books.keeper.remember(owed)
        owed = []
        remember()
        accept(books.intake.withLanes { $0.lastWords })
    }

    /// Stores what has been said before it is believed; returns why it could not be stored.
    ///
    /// A denial says until its purge is done that it owes one, so that a process that is killed meanwhile makes it at
    /// its next start.
    func announce() -> OutboxError? {
        remember(isAnnounced: true)
    }

    /// Whether words have been said that the lanes have not looked at.
    var isBehind: Bool {
        books.intake.withLanes { known in
            books.lanes.indices.contains {
                let (said, applied) = (known.lanes[$0].consent, books.lanes[$0].consent)
                return said.number != applied.number
                    || !books.lanes[$0].owesPurge && said.isDenied != (applied.consent == .denied)
            }
        }
    }

    /// Applies the last words; what was tracked before them has to be stored first.
    func applyLast() {
        let words = books.intake.withLanes { $0.lastWords }
        refuse(words)
        accept(words)
    }

    /// Applies denials, also one that a later word has followed.
    func refuse(_ words: [ConsentWord]) {
        let refused = books.lanes.indices.filter {
            $0 < words.count && words[$0].denial > books.lanes[$0].consent.denial
        }
        guard !refused.isEmpty else { return }
        for index in refused { books.lanes[index].deny(words[index]) }
        purgeOwed()
        books.keeper.noteDenials(lanes: &books.lanes)
    }

    /// Applies words, as far as the denials up to them have been applied; a lane that still owes a purge stays denied.
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
            // It may have been given a greater number meanwhile.
            books.lanes[index].consent.denial = applied
        }
        if books.lanes.mayIdentify { books.updateInstallation() }
        books.releaseHeld(
            changed.filter { books.lanes[$0].consent.consent == .granted && books.lanes[$0].usage.heldEvents > 0 }
        )
        books.lanes.publish(changed)
        books.finishTurn()
    }

    /// Deletes what denials have left to delete; returns why it could not all be deleted.
    ///
    /// - Parameter denied: A purpose of which damaged files may hold something, though no lane owes it.
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
        // The file still says that it is owed.
        if isLate { remember() }
        return nil
    }

    /// Deletes all that is stored of lanes that owe it; returns why bytes may be left, which they owe then still.
    @discardableResult
    private func purge(_ owing: [Int]) -> OutboxError? {
        books.keeper.unfinished.formUnion(owing.map { books.lanes[$0].stored.purpose })
        // Memory is done at once, whatever the disk says, and so are the receipts of what only it had.
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
        books.fates.forget(Set(owing.map { books.lanes[$0].id }))
        for (index, purged) in zip(owing, purged) {
            books.lanes[index].finishPurge(purged.row)
            books.lanes[index].owesPurge = leftover != nil
        }
        return leftover
    }

    /// Says what denials have cost lanes.
    private func tell(_ lost: [Int], of lanes: [Int]) {
        for (index, count) in zip(lanes, lost) where count > 0 {
            books.diagnostics.send(.dropped(lane: books.lanes[index].id, reason: .consentDenied, count: count))
        }
        books.lanes.publish(lanes)
        books.finishTurn()
    }

    /// Makes up for what could not reach the files for a while: purges, words, and the installation's id.
    func catchUp() {
        purgeOwed()
        guard books.keeper.failure == nil else { return }
        remember()
        books.updateInstallation()
    }

    /// Deletes what denials that were just applied have left, and stores the words that are settled with it.
    ///
    /// Throws `notStored` if the decision is not stored. Any other error tells why bytes of a refused purpose could not
    /// be deleted yet; they are deleted as soon as they can be.
    func finish(_ word: Consent, about purpose: ConsentPurpose) throws(OutboxError) {
        let failure = purgeOwed(word == .denied ? purpose : nil)
        if let unstored = remember() { throw .notStored(unstored) }
        // A grant that no pending deletion holds back has taken effect.
        if let failure, word == .denied || !books.lanes.owing.isEmpty { throw failure }
    }

    /// Stores decisions that could not be stored when they were made, once that can be done.
    func storeLate() {
        if isUnstored { remember() }
    }

    /// Stores what has been said; returns why it could not be stored.
    ///
    /// - Parameter isAnnounced: Whether denials that are not applied yet count as owing a purge.
    @discardableResult
    private func remember(isAnnounced: Bool = false) -> OutboxError? {
        let obstacle = store(isAnnounced: isAnnounced)
        isUnstored = obstacle != nil
        return obstacle
    }

    private func store(isAnnounced: Bool) -> OutboxError? {
        guard !said.isEmpty else { return nil }
        let words = said.map { fileWord($1, about: $0, isAnnounced: isAnnounced) }
        // A process that is killed in between must not take what was tracked since for what was refused.
        for word in words { books.keeper.noteDenial(word) }
        books.keeper.noteDenials(lanes: &books.lanes)
        do throws(OutboxError) {
            try books.keeper.remember(words)
            return nil
        } catch {
            return error
        }
    }

    /// What has been said in this run.
    private var said: [ConsentPurpose: ConsentWord] {
        books.intake.withLanes { $0.words.filter { $0.value.number > 0 } }
    }

    /// A word as it is stored.
    private func fileWord(_ word: ConsentWord, about purpose: ConsentPurpose, isAnnounced: Bool) -> ConsentFile.Word {
        let isOwed = books.keeper.unfinished.contains(purpose.name) || owed.contains { $0.purpose == purpose.name }
        let isOwing = books.lanes.queues.contains { $0.owesPurge && $0.stored.purpose == purpose.name }
        return ConsentFile.Word(
            purpose: purpose.name,
            consent: word.consent.rawValue,
            number: word.number,
            owesPurge: isOwed || isOwing || isAnnounced && !isApplied(word, to: purpose),
            denial: word.denial
        )
    }

    /// Whether there was no denial up to a word, or every lane of its purpose has applied it; if no lane is known, a damaged
    /// file may hold one.
    private func isApplied(_ word: ConsentWord, to purpose: ConsentPurpose) -> Bool {
        guard word.denial > 0 else { return true }
        let lanes = books.lanes.queues.filter { $0.stored.purpose == purpose.name }
        return !lanes.isEmpty && lanes.allSatisfy { $0.consent.denial >= word.denial }
    }

    /// Lets words reach lanes that this run has no destination for, by the purpose in their row.
    private func serveForgotten() {
        for index in books.lanes.indices
        where books.lanes[index].destination == nil && !books.lanes[index].stored.purpose.isEmpty {
            let purpose = ConsentPurpose(books.lanes[index].stored.purpose)
            let word: ConsentWord? = books.intake.withLanes { known in
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
