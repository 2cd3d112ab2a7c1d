import Synchronization

/// The writer's side of the intake.
extension Intake {
    /// About how many events a group has at most: while one is stored and the next one encoded, most of the buffer is
    /// free for what comes.
    private static let mostEvents = 3_072

    /// Takes out what was tracked first; an empty group leaves the intake ready to wake the writer.
    ///
    /// A few relaxed events alone stay until they are due, unless all are asked for.
    func takeGroup(all: Bool, now: MonotonicInstant) -> IntakeGroup {
        withLanes { lanes in
            var group = collect(all: all, now: now)
            if group.isEmpty {
                // Who tracks from here on sees that the writer sleeps, and wakes it; who came before is found now.
                // It stays so even then: not the writer alone takes groups, and it may be asleep.
                isWriterIdle.store(true, ordering: .relaxed)
                group = collect(all: all, now: now)
            }
            lanes.noteTaken(group)
            group.words = lanes.lastWords
            return group
        }
    }

    private func collect(all: Bool, now: MonotonicInstant) -> IntakeGroup {
        var group = IntakeGroup()
        guard all || isGroupDue(now: now) else { return group }
        // Without a last id an event could be taken from one shard and left in another that it was tracked after.
        let last = lastOfGroup
        for shard in shards { shard.withState { $0.move(upTo: last, into: &group) } }
        return group
    }

    private var lastOfGroup: EventID {
        let latest = ids.latest
        let counts = shards.map { shard in shard.withState { $0.count } }
        let count = counts.reduce(0, +)
        guard count > Intake.mostEvents, let largest = counts.indices.max(by: { counts[$0] < counts[$1] }) else {
            return latest
        }
        // The events of other threads lie between those of one thread.
        let share = counts[largest] * Intake.mostEvents / count
        return shards[largest].withState { $0.entries.dropFirst(share).first?.id } ?? latest
    }

    /// Whether anything is buffered that is not above an id.
    func hasBuffered(upTo last: EventID) -> Bool {
        shards.contains { shard in shard.withState { $0.entries.first.map { $0.id <= last } ?? false } }
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

    /// Notes that a group is in the outbox, with the ledgers that now hold it.
    func recordStored(_ group: IntakeGroup, published lanes: [(lane: Int, ledger: LaneLedger, status: LaneStatus)]) {
        withLanes { known in
            known.noteStored(group)
            for (lane, ledger, status) in lanes { known.publish(lane, ledger, status) }
        }
        giveBackPlaces(group.count)
    }
}
