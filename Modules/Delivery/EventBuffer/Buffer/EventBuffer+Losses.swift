package import CoreTracker
import Locks

/// Refused events.
extension EventBuffer {
    /// Counts an event as accepted and dropped.
    ///
    /// - Parameters:
    ///   - lane: The lane's index.
    ///   - reason: The reason.
    package func drop(lane: Int, _ reason: DropReason) {
        drop(lane: lane, reason, on: shards[runtime.shard?() ?? EventBuffer.shardOfThread], now: clock.monotonicTime())
    }

    /// Counts an event without content as accepted and dropped, and publishes its outcomes.
    ///
    /// - Parameters:
    ///   - lane: The lane's index.
    ///   - reason: The reason.
    func refuse(lane: Int, _ reason: DropReason) {
        drop(lane: lane, reason)
        if outcomes.hasListeners { publishLost([(ids.next(at: now), lane)], reason) }
    }

    func drop(lane: Int, _ reason: DropReason, id: EventID? = nil, on shard: BufferShard, now: MonotonicInstant) {
        let (startsWait, isFirst) = shard.withState { $0.refuse(lane: lane, reason, id: id, now: now) }
        if isFirst { reportLoss(lane: lane, reason) }
        if wakesWriter(.relaxed, isFirstRelaxed: startsWait, count: 0) { wake.signal() }
    }

    /// Sends a diagnostic about the first loss of a reason since the writer reported losses.
    ///
    /// The writer may not be able to report it soon, because the storage is full or used by another process.
    func reportLoss(lane: Int, _ reason: DropReason) {
        diagnostics.send(.dropped(lane: withLanes { $0.lanes[lane].id }, reason: reason, count: 1))
    }

    /// Adds the refusals of a group to the counts again, because they could not be stored.
    ///
    /// - Parameter group: The group.
    package func putBackRefusals(of group: BufferedGroup) {
        let now = clock.monotonicTime()
        shards[0].withState { $0.putBackRefusals(of: group, now: now) }
    }
}

/// Removal of buffered events.
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
        guard let (evicted, isFirst) = evicted else { return nil }
        if isFirst { reportLoss(lane: evicted.lane, reason) }
        evicted.answer(.lost(reason))
        publishLost([(evicted.id, evicted.lane)], reason)
        return evicted.share
    }

    private func removeNewest(
        below priority: TrackOptions.Priority,
        _ reason: DropReason
    ) -> (event: BufferedEvent, isFirst: Bool)? {
        let newest = shards.compactMap { shard in
            shard.withState { $0.entries.last { $0.options.priority < priority }?.id }.map { (shard, $0) }
        }.max { $0.1 < $1.1 }
        guard let (shard, id) = newest else { return nil }
        return shard.withState { state in
            state.remove(reason) { $0.id == id }.first.map { ($0, state.report($0.lane, reason)) }
        }
    }

    /// Removes all buffered events when the engine closes, and counts them as lost.
    package func giveUpBuffered() {
        giveUp(withLanes { _ in remove(.closed) { _ in true } }, .closed)
    }

    /// Removes the buffered events that match a condition, and counts them.
    func remove(_ reason: DropReason, where isGone: (BufferedEvent) -> Bool) -> [BufferedEvent] {
        shards.flatMap { shard in shard.withState { $0.remove(reason, where: isGone) } }
    }

    /// Frees the capacity of removed events, and completes their receipts.
    func giveUp(_ removed: [BufferedEvent], _ reason: DropReason) {
        room.giveBack(removed.reduce(into: BufferCapacity.Share()) { $0 += $1.share })
        for entry in removed { entry.answer(.lost(reason)) }
        publishLost(removed.lazy.map { ($0.id, $0.lane) }, reason)
    }
}

/// The outcomes of events in the buffer.
extension EventBuffer {
    /// Publishes that the writer has taken a group, if there is any listener.
    ///
    /// - Parameter group: The events.
    package func publishAccepted(_ group: BufferedGroup) {
        guard outcomes.hasListeners, !group.chunks.isEmpty else { return }
        let names = withLanes { $0.lanes.map(\.id) }
        var accepted: [(kind: EventOutcome.Kind, lane: LaneID, id: EventID?, count: Int)] = []
        group.forEach { accepted.append((.accepted, names[$0.lane], $0.id, 1)) }
        outcomes.publish(accepted)
    }

    /// Publishes that events are accepted and lost at once, if there is any listener.
    ///
    /// - Parameters:
    ///   - events: The ids and the lanes' indices.
    ///   - reason: The reason.
    func publishLost(_ events: some Sequence<(id: EventID, lane: Int)>, _ reason: DropReason) {
        guard outcomes.hasListeners else { return }
        let names = withLanes { $0.lanes.map(\.id) }
        outcomes.publish(
            events.flatMap { event in
                [EventOutcome.Kind.accepted, .lost(reason)].map { ($0, names[event.lane], event.id, 1) }
            }
        )
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

    /// Returns the status of an event that is buffered or was refused recently, or `nil` for any other event.
    ///
    /// - Parameter id: The event's id.
    package func explanation(of id: EventID) -> EventExplanation? {
        withLanes { lanes in
            for shard in shards {
                let found: (lane: Int, status: EventStatus)? = shard.withState { state in
                    if let entry = state.entries.first(where: { $0.id == id }) { return (entry.lane, .buffered) }
                    return state.refusals.refusal(of: id).map { ($0.lane, .dropped($0.reason)) }
                }
                if let found { return EventExplanation(lane: lanes.lanes[found.lane].id, status: found.status) }
            }
            return nil
        }
    }

    /// The statistics of an engine that is not open, sorted by lane.
    var unopenedStatistics: [LaneStatistics] {
        ledgers.map { LaneStatistics(id: $0.id, ledger: $0.ledger) }.sorted { $0.id < $1.id }
    }
}
