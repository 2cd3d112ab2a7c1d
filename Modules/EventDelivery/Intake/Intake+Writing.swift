import Synchronization

/// The writer's side of the intake.
extension Intake {
    /// Takes out what is buffered; an empty group leaves the intake ready to wake the writer.
    ///
    /// A few relaxed events alone stay until they are due, unless all are asked for. What was tracked before the call
    /// is in the group.
    func takeGroup(all: Bool, now: MonotonicInstant) -> IntakeGroup {
        withLanes { lanes in
            var group = collect(all: all, now: now)
            if group.isEmpty {
                // Who tracks from here on sees that the writer sleeps, and wakes it; who came before is found now.
                isWriterIdle.store(true, ordering: .relaxed)
                group = collect(all: all, now: now)
                if !group.isEmpty { isWriterIdle.store(false, ordering: .relaxed) }
            }
            lanes.noteTaken(group)
            return group
        }
    }

    private func collect(all: Bool, now: MonotonicInstant) -> IntakeGroup {
        var group = IntakeGroup()
        guard all || isGroupDue(now: now) else { return group }
        // Without a last id an event could be taken from one shard and left in another that it was tracked after.
        let last = ids.latest
        for shard in shards { shard.withState { $0.move(upTo: last, into: &group) } }
        return group
    }

    private func isGroupDue(now: MonotonicInstant) -> Bool {
        var (count, hasRelaxed) = (0, false)
        for shard in shards {
            let (urgent, size, due) = shard.withState { ($0.urgent, $0.count, $0.relaxedDue) }
            count += size
            if urgent > 0 || due.map({ now >= $0 }) == true || count >= Intake.groupSize { return true }
            hasRelaxed = hasRelaxed || due != nil
        }
        // What was refused alone is not waited for.
        return !hasRelaxed
    }

    /// When relaxed events have to be stored at the latest; `nil` when there are none.
    var relaxedDue: MonotonicInstant? {
        shards.compactMap { shard in shard.withState { $0.relaxedDue } }.min()
    }

    /// Notes that a group is in the outbox, with the books that now hold it.
    func recordStored(_ group: IntakeGroup, ledgers: [Int: LaneLedger]) {
        withLanes { $0.noteStored(group, ledgers: ledgers) }
        giveBackPlaces(group.count)
    }
}
