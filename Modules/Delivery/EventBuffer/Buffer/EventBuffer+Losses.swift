package import CoreTracker
import Locks

/// Removal of buffered events: by eviction, denials, erasures and the closing of the engine.
extension EventBuffer {
    /// Evicts the newest buffered event with a lower priority.
    ///
    /// If no event with a lower priority is buffered, the cost does not depend on the number of buffered events.
    ///
    /// - Parameters:
    ///   - priority: The priority of the new event.
    ///   - reason: The reason under which the evicted event is counted.
    /// - Returns: The capacity of the evicted event, which the caller now owns, or `nil` if there is no such event.
    func evict(below priority: TrackOptions.Priority, _ reason: DropReason) -> BufferCapacity.Share? {
        guard lowestPriority.load(ordering: .relaxed) < priority.rawValue else { return nil }
        // While the lanes are locked, events can be added but not removed.
        let evicted = withLanes { _ in
            if let evicted = removeNewest(below: priority, reason) { return Optional(evicted) }
            // The buffer has no such event. An event that is added from now on lowers the bound again. An event that
            // was added since the first search is found by the second one.
            let lowest = lowestPriority.exchange(priority.rawValue, ordering: .relaxed)
            let evicted = removeNewest(below: priority, reason)
            if evicted != nil { lowestPriority.min(lowest, ordering: .relaxed) }
            return evicted
        }
        evicted?.answer(.lost(reason))
        return evicted?.share
    }

    private func removeNewest(below priority: TrackOptions.Priority, _ reason: DropReason) -> BufferedEvent? {
        let newest = shards.compactMap { shard in
            shard.withState { $0.entries.last { $0.options.priority < priority }?.id }.map { (shard, $0) }
        }.max { $0.1 < $1.1 }
        guard let (shard, id) = newest else { return nil }
        return shard.withState { $0.remove(reason) { $0.id == id } }.first
    }

    /// Records the user's decision about a purpose, and applies it to new events before it returns.
    ///
    /// A denial also removes the buffered events of the purpose's lanes.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - purpose: The purpose.
    package func say(_ consent: Consent, about purpose: ConsentPurpose) {
        changeConsent { $0.say(consent, about: purpose, after: ids.latest) }
    }

    /// Sets the purposes of the lanes with a destination when the engine opens.
    ///
    /// Buffered events that a decision before the opening denies are removed.
    ///
    /// - Parameters:
    ///   - served: The lanes with a destination, and their purposes.
    ///   - stored: The highest number of a decision of an earlier run.
    ///   - said: The decisions from earlier runs or the configuration.
    ///   - consent: Returns the consent for a purpose without a decision in this run.
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

    /// Changes consent, and removes the buffered events of lanes that are denied afterwards.
    private func changeConsent<Result: Sendable>(_ body: (inout BufferLanes) -> Result) -> Result {
        var removed: [BufferedEvent] = []
        let result = withLanes { lanes in
            let result = body(&lanes)
            // A call that has not seen the denial still holds its shard's lock, so the removal finds its event too.
            let denied = Set(lanes.lanes.indices.filter { lanes.lanes[$0].consent.isDenied })
            if !denied.isEmpty { removed = remove(.consentDenied) { denied.contains($0.lane) } }
            return result
        }
        giveUp(removed, .consentDenied)
        return result
    }

    /// Removes a user's buffered events, and requests the erasure of the stored ones.
    ///
    /// - Parameter user: The user's hash, or `nil` for all users.
    /// - Returns: The number of removed events.
    package func erase(_ user: UserHash?) -> Int {
        let removed = withLanes { lanes in
            let erasure = Erasure(user: user, last: ids.latest)
            lanes.erase(erasure)
            return remove(.erased) { $0.id <= erasure.last && erasure.concerns($0.identity.identity.userHash) }
        }
        giveUp(removed, .erased)
        return removed.count
    }

    /// Removes all buffered events when the engine closes, and counts them as lost.
    package func giveUpBuffered() {
        giveUp(withLanes { _ in remove(.closed) { _ in true } }, .closed)
    }

    private func remove(_ reason: DropReason, where isGone: (BufferedEvent) -> Bool) -> [BufferedEvent] {
        shards.flatMap { shard in shard.withState { $0.remove(reason, where: isGone) } }
    }

    private func giveUp(_ removed: [BufferedEvent], _ reason: DropReason) {
        room.giveBack(removed.reduce(into: BufferCapacity.Share()) { $0 += $1.share })
        for entry in removed { entry.answer(.lost(reason)) }
    }
}

/// The state of the lanes.
extension EventBuffer {
    /// A lane's current ledger, and its number of events that are not in the outbox.
    package struct LaneSnapshot {
        package let id: LaneID
        package let ledger: LaneLedger
        /// The number of events that are buffered or being stored.
        package let unstored: Int
        /// The latest published status.
        package let status: LaneStatus
    }

    /// Returns a lane, and adds it if it is new.
    ///
    /// Each shard caches the lanes that its threads have requested. A service that requests its lane for each event
    /// therefore shares no lock with other threads.
    ///
    /// - Parameter id: The lane's name.
    package func lane(_ id: LaneID) -> DeliveryLane {
        let shard = shards[runtime.shard?() ?? EventBuffer.shardOfThread]
        if let known = shard.withState({ $0.lanes[id] }) {
            return DeliveryLane(id: id, index: known.index, consent: known.consent, buffer: self)
        }
        let made = withLanes { lanes in
            let index = lanes.index(of: id)
            return (index: index, consent: lanes.lanes[index].consent)
        }
        shard.withState { $0.lanes[id] = made }
        return DeliveryLane(id: id, index: made.index, consent: made.consent, buffer: self)
    }

    /// The current ledgers of all lanes, by index.
    ///
    /// Reads every buffered event.
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

    /// Returns the lane of a buffered event, or `nil` if the event is not buffered.
    ///
    /// - Parameter id: The event's id.
    package func laneOfBuffered(_ id: EventID) -> LaneID? {
        withLanes { lanes in
            for shard in shards {
                let lane = shard.withState { $0.entries.first { $0.id == id }?.lane }
                if let lane { return lanes.lanes[lane].id }
            }
            return nil
        }
    }

    /// The statistics of an engine that is not open, sorted by lane.
    var unopenedStatistics: [LaneStatistics] {
        ledgers.map { LaneStatistics(id: $0.id, ledger: $0.ledger) }.sorted { $0.id < $1.id }
    }
}
