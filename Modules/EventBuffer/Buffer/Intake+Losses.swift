package import CoreTracker
import Locks

/// What gives way in memory: events of lower priority when the buffer is full, and those that the user refuses.
extension Intake {
    /// Gives up the newest buffered event of a lower priority, and returns its room, which is the caller's; `nil` when
    /// there is none.
    ///
    /// Takes the same short time however full the buffer is, as long as no event of a lower priority is in it.
    func evict(below priority: TrackOptions.Priority, _ reason: DropReason) -> IntakeRoom.Share? {
        guard lowestPriority.load(ordering: .relaxed) < priority.rawValue else { return nil }
        // While the lanes are locked, events come and none goes.
        let evicted = withLanes { _ in
            if let evicted = removeNewest(below: priority, reason) { return Optional(evicted) }
            // None is left. One that is buffered from here on notes its own priority; one that was since is found now.
            let lowest = lowestPriority.exchange(priority.rawValue, ordering: .relaxed)
            let evicted = removeNewest(below: priority, reason)
            if evicted != nil { lowestPriority.min(lowest, ordering: .relaxed) }
            return evicted
        }
        evicted?.answer(.lost(reason))
        return evicted?.share
    }

    private func removeNewest(below priority: TrackOptions.Priority, _ reason: DropReason) -> IntakeEntry? {
        let newest = shards.compactMap { shard in
            shard.withState { $0.entries.last { $0.options.priority < priority }?.id }.map { (shard, $0) }
        }.max { $0.1 < $1.1 }
        guard let (shard, id) = newest else { return nil }
        return shard.withState { $0.remove(reason) { $0.id == id } }.first
    }

    /// Notes what the user says about a purpose, and puts it in force for new events before it returns.
    ///
    /// A denial takes no more events of the purpose's lanes, and gives up those that are buffered.
    package func say(_ consent: Consent, about purpose: ConsentPurpose) {
        changeConsent { $0.say(consent, about: purpose, after: ids.latest) }
    }

    /// Notes a word that another process has stored, as ``say(_:about:)`` does; returns the greatest number about the
    /// purpose that is stored and known here, and the numbers that the last denial had before and has now.
    package func learn(_ word: StoredDecision, known: UInt64) -> (known: UInt64, old: UInt64, new: UInt64) {
        changeConsent { lanes in
            func denial() -> UInt64 { lanes.words[ConsentPurpose(word.purpose)]?.denial ?? 0 }
            let old = denial()
            let known = lanes.learn(word, known: known, after: ids.latest)
            return (known, old, denial())
        }
    }

    /// Notes the purposes of the lanes that the engine is opened with destinations for; what a word before the opening has
    /// refused is given up.
    ///
    /// - Parameters:
    ///   - stored: The greatest number of a word of an earlier run.
    ///   - said: What had been said before this run, or by its configuration.
    package func serve(
        _ served: [(lane: LaneID, purpose: ConsentPurpose)],
        after stored: UInt64 = 0,
        said: [ConsentPurpose: Consent] = [:],
        initially consent: (ConsentPurpose) -> Consent
    ) {
        changeConsent { lanes in
            lanes.count(from: stored)
            lanes.noteEarlier(said)
            for (lane, purpose) in served {
                let index = lanes.index(of: lane)
                lanes.serve(index, purpose: purpose, initially: consent(purpose))
            }
        }
    }

    /// Changes what is known of consent, and gives up what is buffered for lanes that are denied then.
    private func changeConsent<Result: Sendable>(_ body: (inout IntakeLanes) -> Result) -> Result {
        var removed: [IntakeEntry] = []
        let result = withLanes { lanes in
            let result = body(&lanes)
            // A call that has not seen it holds its shard's lock still.
            let denied = Set(lanes.lanes.indices.filter { lanes.lanes[$0].consent.isDenied })
            if !denied.isEmpty { removed = remove(.consentDenied) { denied.contains($0.lane) } }
            return result
        }
        giveUp(removed, .consentDenied)
        return result
    }

    /// Gives up what is buffered of a user, or of everybody, and notes that what is stored has to go, too; returns how
    /// many events were buffered.
    package func erase(_ user: UserMark?) -> Int {
        erase { Erasure(user: user, last: ids.latest) }
    }

    /// Does the same with what another process was asked to erase.
    package func learn(_ erasure: Erasure) {
        _ = erase { erasure }
    }

    private func erase(_ asked: () -> Erasure) -> Int {
        let removed = withLanes { lanes in
            let erasure = asked()
            lanes.erase(erasure)
            return remove(.erased) { $0.id <= erasure.last && erasure.concerns($0.identity.identity.mark) }
        }
        giveUp(removed, .erased)
        return removed.count
    }

    /// Gives up what nobody stores any more.
    package func giveUpBuffered() {
        giveUp(withLanes { _ in remove(.closed) { _ in true } }, .closed)
    }

    private func remove(_ reason: DropReason, where isGone: (IntakeEntry) -> Bool) -> [IntakeEntry] {
        shards.flatMap { shard in shard.withState { $0.remove(reason, where: isGone) } }
    }

    private func giveUp(_ removed: [IntakeEntry], _ reason: DropReason) {
        room.giveBack(removed.reduce(into: IntakeRoom.Share()) { $0 += $1.share })
        for entry in removed { entry.answer(.lost(reason)) }
    }
}

/// What the intake knows of its lanes.
extension Intake {
    /// A lane's ledger as they are now, and what of them is not in the outbox.
    package struct LaneSnapshot {
        package let id: LaneID
        package let ledger: LaneLedger
        /// Events that are buffered or on their way into the outbox.
        package let unstored: Int
        /// How the lane stood when its ledger was published last.
        package let status: LaneStatus
    }

    /// The entry of a lane, which is made on first use.
    ///
    /// Each shard keeps the lanes that its threads have asked for, so that a service which looks its lane up at each
    /// event shares no lock with other threads.
    package func lane(_ id: LaneID) -> DeliveryLane {
        let shard = shards[runtime.shard?() ?? Intake.shardOfThread]
        if let known = shard.withState({ $0.lanes[id] }) {
            return DeliveryLane(id: id, index: known.index, consent: known.consent, intake: self)
        }
        let made = withLanes { lanes in
            let index = lanes.index(of: id)
            return (index: index, consent: lanes.lanes[index].consent)
        }
        shard.withState { $0.lanes[id] = made }
        return DeliveryLane(id: id, index: made.index, consent: made.consent, intake: self)
    }

    /// The ledgers of all lanes as they are now, by index.
    ///
    /// Looks at every buffered event.
    package var ledgers: [LaneSnapshot] {
        withLanes { lanes in
            var unstored = lanes.lanes.map(\.taken)
            var refused = lanes.lanes.map(\.refused)
            for shard in shards {
                shard.withState { state in
                    for entry in state.entries { unstored[entry.lane] += 1 }
                    for (lane, reasons) in state.refused { refused[lane].merge(reasons, uniquingKeysWith: +) }
                }
            }
            return lanes.lanes.indices.map { index in
                var ledger = lanes.lanes[index].stored
                ledger.accepted += unstored[index]
                for (reason, count) in refused[index] {
                    ledger.accepted += count
                    ledger.drop(count, reason)
                }
                return LaneSnapshot(
                    id: lanes.lanes[index].id,
                    ledger: ledger,
                    unstored: unstored[index],
                    status: lanes.lanes[index].status
                )
            }
        }
    }

    /// The lane for which an event is buffered; `nil` when it is not.
    package func laneOfBuffered(_ id: EventID) -> LaneID? {
        withLanes { lanes in
            for shard in shards {
                let lane = shard.withState { $0.entries.first { $0.id == id }?.lane }
                if let lane { return lanes.lanes[lane].id }
            }
            return nil
        }
    }

    /// The statistics of an engine that is not open.
    var unopenedStatistics: [LaneStatistics] {
        ledgers.map { LaneStatistics(id: $0.id, ledger: $0.ledger) }.sorted { $0.id < $1.id }
    }
}
