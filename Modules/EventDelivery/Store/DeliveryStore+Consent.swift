import CoreTracker

/// Bringing what is stored in line with what the user says.
extension DeliveryStore {
    /// Brings all lanes to the last word about their purposes.
    ///
    /// Throws why bytes of a refused purpose could not be deleted yet; they are as soon as they can be.
    ///
    /// A word is stored before it is believed, and a denial says until its purge is done that it owes one, so that a
    /// process that is killed meanwhile makes it at its next start.
    func applyConsent() throws(OutboxError) {
        let obstacle = rememberWords(isOwed: true)
        applyWords()
        let failure = purgeOwed()
        if let failure = failure ?? rememberWords() ?? obstacle { throw failure }
    }

    /// Stores what has been said; returns why it could not be stored.
    ///
    /// - Parameter isOwed: Whether denials that are not applied yet count as owing a purge.
    @discardableResult
    func rememberWords(isOwed: Bool = false) -> OutboxError? {
        let said = intake.withLanes { $0.words.filter { $0.value.number > 0 } }
        let owing = Set(lanes.queues.filter { $0.owesPurge }.map(\.stored.purpose))
        let words = said.map { purpose, word in
            ConsentFile.Word(
                purpose: purpose.name,
                consent: word.consent.rawValue,
                number: word.number,
                owesPurge: owing.contains(purpose.name) || isOwed && word.consent == .denied
            )
        }
        do throws(OutboxError) {
            try keeper.remember(words)
            return nil
        } catch {
            return error
        }
    }

    /// Takes over what the user has said to another process that uses the directory.
    func learnWords() {
        guard let words = keeper.newWords() else { return }
        for word in words {
            guard let consent = Consent(rawValue: word.consent) else { continue }
            intake.learn(consent, about: ConsentPurpose(word.purpose), number: word.number)
        }
    }

    /// Lets words reach lanes that this run has no destination for, by the purpose in their row.
    func serveForgotten() {
        for index in lanes.indices where lanes[index].destination == nil && !lanes[index].stored.purpose.isEmpty {
            let purpose = ConsentPurpose(lanes[index].stored.purpose)
            let word: ConsentWord? = intake.withLanes { known in
                guard known.lanes[index].purpose == nil else { return nil }
                known.serve(index, purpose: purpose, initially: earlierConsent.consent(for: purpose))
                return known.word(of: index)
            }
            guard let word else { continue }
            if word.consent == .denied { lanes[index].deny(word) } else { lanes[index].consent = word }
        }
    }

    /// Applies words that have been said since the lanes looked last; what was tracked before them is stored first.
    func applyWords() {
        let isBehind = intake.withLanes { known in
            lanes.indices.contains { known.lanes[$0].consent.number != lanes[$0].consent.number }
        }
        guard isBehind, !isStopped else { return }
        persistBuffered()
        let words = intake.withLanes { $0.lastWords }
        refuse(words)
        accept(words)
    }

    /// Applies denials, also one that a later word has followed.
    func refuse(_ words: [ConsentWord]) {
        let refused = lanes.indices.filter { $0 < words.count && words[$0].denial > lanes[$0].consent.denial }
        guard !refused.isEmpty else { return }
        for index in refused { lanes[index].deny(words[index]) }
        purgeOwed()
    }

    /// Applies grants and questions; a lane that still owes a purge stays denied.
    func accept(_ words: [ConsentWord]) {
        let changed = lanes.indices.filter {
            $0 < words.count && words[$0] != lanes[$0].consent && !lanes[$0].owesPurge
        }
        guard !changed.isEmpty else { return }
        for index in changed { lanes[index].consent = words[index] }
        if mayIdentify { updateInstallation() }
        releaseHeld(changed.filter { lanes[$0].consent.consent == .granted && lanes[$0].usage.heldEvents > 0 })
        lanes.publish(changed)
        finishTurn()
    }

    func releaseHeld(_ granted: [Int]) {
        guard !granted.isEmpty else { return }
        var change = OutboxChange()
        change.grantedLanes = granted.map { lanes[$0].stored.number }
        keeper.record(change, lanes: &lanes)
        for index in granted {
            if let usage = try? keeper.outbox.usage(lane: lanes[index].stored.number) { lanes[index].usage = usage }
            lanes[index].refreshHead(from: keeper.outbox)
        }
    }

    /// Whether the user has agreed to the purpose of any destination, so that this installation may have an id on disk.
    var mayIdentify: Bool {
        lanes.queues.contains { $0.destination != nil && $0.consent.consent == .granted }
    }

    /// Puts the installation's id on the disk once the user has agreed to a purpose, and replaces it when the last one
    /// is refused.
    func updateInstallation() {
        if mayIdentify { return keeper.identify() }
        guard lanes.queues.contains(where: { $0.destination != nil && $0.consent.consent == .denied }) else { return }
        let id = keeper.forgetInstallation()
        intake.identity.change { $0.deviceID = id }
    }

    /// Deletes what denials have left to delete; returns why it could not all be deleted.
    @discardableResult
    func purgeOwed() -> OutboxError? {
        guard lanes.queues.contains(where: \.owesPurge) else { return nil }
        // The word reaches what ended processes have left, too.
        while keeper.adoptNext(lanes: &lanes) {}
        serveForgotten()
        let owing = lanes.indices.filter { lanes[$0].owesPurge }
        let purged = owing.map { (index: $0, purged: lanes[$0].purged) }
        do throws(OutboxError) {
            try keeper.purge(purged.map(\.purged.row))
        } catch {
            keeper.failed(error)
            return error
        }
        fates.forget(Set(owing.map { lanes[$0].id }))
        for (index, purged) in purged {
            lanes[index].finishPurge(purged.row)
            guard purged.lost > 0 else { continue }
            diagnostics.send(.dropped(lane: lanes[index].id, reason: .consentDenied, count: purged.lost))
        }
        keeper.confirm(lanes: owing, .lost(.consentDenied))
        updateInstallation()
        let obstacle = keeper.unreachable
        for index in owing where obstacle != nil { lanes[index].owesPurge = true }
        lanes.publish(owing)
        finishTurn()
        return obstacle
    }
}

/// What holds for a purpose until something is said about it: what the configuration names, the last word of an earlier
/// run, or the configuration's default.
struct EarlierConsent {
    private let words: [String: Consent]
    private let named: [ConsentPurpose: Consent]
    private let fallback: Consent

    /// - Parameter words: The words that are stored; `nil` where there are some that cannot be read.
    init(words: [ConsentFile.Word]?, configuration: DeliveryConfiguration) {
        // What is stored and cannot be read or understood is not a consent.
        self.words = Dictionary(
            (words ?? []).map { ($0.purpose, Consent(rawValue: $0.consent) ?? .unknown) },
            uniquingKeysWith: { first, _ in first }
        )
        named = configuration.consent
        fallback = words == nil ? .unknown : configuration.defaultConsent
    }

    /// What holds for a purpose.
    func consent(for purpose: ConsentPurpose) -> Consent {
        named[purpose] ?? words[purpose.name] ?? fallback
    }
}
