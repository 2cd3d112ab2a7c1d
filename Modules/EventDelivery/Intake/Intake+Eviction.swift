import CoreTracker
import Synchronization

/// What gives way in memory: events of lower priority when the buffer is full, and those that the user refuses.
extension Intake {
    /// Gives up the newest buffered event of a lower priority, and answers whether there was one; its place is the
    /// caller's.
    ///
    /// Takes the same short time however full the buffer is, as long as no event of a lower priority is in it.
    func evict(below priority: TrackOptions.Priority) -> Bool {
        guard lowestPriority.load(ordering: .relaxed) < priority.rawValue else { return false }
        // While the lanes are locked, events come and none goes.
        let evicted = withLanes { _ in
            if let evicted = removeNewest(below: priority) { return Optional(evicted) }
            // None is left. One that is buffered from here on notes its own priority; one that was since is found now.
            let lowest = lowestPriority.exchange(priority.rawValue, ordering: .relaxed)
            let evicted = removeNewest(below: priority)
            if evicted != nil { lowestPriority.min(lowest, ordering: .relaxed) }
            return evicted
        }
        evicted?.answer(.lost(.bufferFull))
        return evicted != nil
    }

    private func removeNewest(below priority: TrackOptions.Priority) -> IntakeEntry? {
        let newest = shards.compactMap { shard in
            shard.withState { $0.entries.last { $0.options.priority < priority }?.id }.map { (shard, $0) }
        }.max { $0.1 < $1.1 }
        guard let (shard, id) = newest else { return nil }
        return shard.withState { $0.remove(.bufferFull) { $0.id == id } }.first
    }

    /// Notes what the user says about a purpose, and puts it in force for new events before it returns.
    ///
    /// A denial takes no more events of the purpose's lanes, and gives up those that are buffered.
    func say(_ consent: Consent, about purpose: ConsentPurpose) {
        changeConsent { $0.say(consent, about: purpose, after: ids.latest) }
    }

    /// Notes a word that another process has stored, as ``say(_:about:)`` does.
    func learn(_ consent: Consent, about purpose: ConsentPurpose, number: UInt64) {
        changeConsent { $0.learn(consent, about: purpose, number: number, after: ids.latest) }
    }

    /// Notes the purposes of the destinations that the engine is opened with; what a word before the opening has
    /// refused is given up.
    ///
    /// - Parameter stored: The greatest number of a word of an earlier run.
    func serve(
        _ destinations: [any Destination],
        after stored: UInt64 = 0,
        initially consent: (ConsentPurpose) -> Consent
    ) {
        changeConsent { lanes in
            lanes.count(from: stored)
            for destination in destinations {
                let index = lanes.index(of: destination.lane)
                let purpose = destination.purpose
                lanes.serve(index, purpose: purpose, initially: consent(purpose))
            }
        }
    }

    /// Changes what is known of consent, and gives up what is buffered for lanes that are denied then.
    private func changeConsent(_ body: (inout IntakeLanes) -> Void) {
        let removed = withLanes { lanes in
            body(&lanes)
            // A call that has not seen it holds its shard's lock still.
            let denied = Set(lanes.lanes.indices.filter { lanes.lanes[$0].consent.isDenied })
            return denied.isEmpty ? [] : remove(.consentDenied) { denied.contains($0.lane) }
        }
        giveUp(removed, .consentDenied)
    }

    /// Gives up what nobody stores any more.
    func giveUpBuffered() {
        giveUp(withLanes { _ in remove(.closed) { _ in true } }, .closed)
    }

    private func remove(_ reason: DropReason, where isGone: (IntakeEntry) -> Bool) -> [IntakeEntry] {
        shards.flatMap { shard in shard.withState { $0.remove(reason, where: isGone) } }
    }

    private func giveUp(_ removed: [IntakeEntry], _ reason: DropReason) {
        giveBackPlaces(removed.count)
        for entry in removed { entry.answer(.lost(reason)) }
    }
}
