import CoreTracker
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
    package func refuse(lane: Int, _ reason: DropReason) {
        drop(lane: lane, reason)
        if outcomes.hasListeners { publishLost([(ids.next(at: now), lane)], reason) }
    }

    func drop(lane: Int, _ reason: DropReason, id: EventID? = nil, on shard: BufferShard, now: MonotonicInstant) {
        let (startsWait, isFirst) = shard.withState { $0.refuse(lane: lane, reason, id: id, now: now) }
        if isFirst { reportLoss(lane: lane, reason) }
        if wakesWriter(.relaxed, isFirstRelaxed: startsWait, count: 0) { wakeWriter() }
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
    /// Drops and counts buffered events that are switched off or not sampled under the rules in effect.
    ///
    /// If a call of `track` has not seen the rules, it still holds its shard's lock, so its event is found too. Rates
    /// apply to new events only, and no rule applies to updates of profiles.
    ///
    /// - Parameter deviceID: The installation's id of events tracked before the opening, or an empty text if it is not
    ///   known yet.
    package func dropRefused(deviceID: String = "") {
        guard let rules = admission.frozen.rules else { return }
        for reason in [DropReason.switchedOff, .sampledOut] {
            let removed = withLanes { lanes in
                remove(reason) { event in
                    guard event.update == nil else { return false }
                    let identity = identity.completed(event.identity.identity, deviceID: deviceID)
                    let lane = lanes.lanes[event.lane].id
                    return rules.refusal(of: event.name, on: lane, identity, countedAt: nil) == reason
                }
            }
            giveUp(removed, reason)
        }
    }

    /// Removes all buffered events when the engine closes, and counts them as lost.
    ///
    /// - Parameter reason: The reason.
    package func giveUpBuffered(_ reason: DropReason = .closed) {
        giveUp(withLanes { _ in remove(reason) { _ in true } }, reason)
    }

    /// Removes the buffered events that match a condition, and counts them.
    func remove(_ reason: DropReason, where isGone: (BufferedEvent) -> Bool) -> [BufferedEvent] {
        shards.flatMap { shard in shard.withState { $0.remove(reason, where: isGone) } }
    }

    /// Frees the capacity of removed events, and completes their receipts.
    func giveUp(_ removed: [BufferedEvent], _ reason: DropReason) {
        room.giveBack(removed.reduce(into: BufferCapacity.Share()) { $0 += $1.share })
        for entry in removed { entry.answer(.dropped(reason)) }
        publishLost(removed.map { ($0.id, $0.lane) }, reason)
    }
}

/// The outcomes of lost events.
extension EventBuffer {
    /// Publishes that events are accepted and lost at once, if there is any listener.
    ///
    /// - Parameters:
    ///   - events: The ids and the lanes' indices.
    ///   - reason: The reason.
    func publishLost(_ events: [(id: EventID, lane: Int)], _ reason: DropReason) {
        guard outcomes.hasListeners else { return }
        let names = withLanes { $0.lanes.map(\.id) }
        outcomes.publish(
            events.flatMap { event in
                [EventOutcome.Kind.accepted, .dropped(reason)].map { ($0, names[event.lane], event.id, 1) }
            }
        )
    }
}
