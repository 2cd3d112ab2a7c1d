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

    /// Takes no more events of lanes, and gives up those that are buffered.
    func deny(_ denied: [Int]) {
        let removed = withLanes { lanes in
            // A call that has not seen it holds its shard's lock still.
            for lane in denied { lanes.lanes[lane].denial.isRaised = true }
            return remove(.consentDenied) { denied.contains($0.lane) }
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

    /// Takes events of lanes again.
    func allow(_ allowed: [Int]) {
        withLanes { lanes in
            for lane in allowed { lanes.lanes[lane].denial.isRaised = false }
        }
    }
}
