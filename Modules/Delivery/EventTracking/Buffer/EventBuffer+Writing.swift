import CoreTracker
import Locks

/// The functions for the writer.
extension EventBuffer {
    /// The approximate maximum number of events in a group.
    ///
    /// A group is stored in one turn of the store, and each of its events may be a row of its own.
    private static let maximumEvents = 1_024

    /// Takes the oldest events out of the buffer.
    ///
    /// A few relaxed events alone remain in the buffer until they are due, unless `all` is set. An empty group leaves
    /// the buffer ready to wake the writer.
    ///
    /// - Parameters:
    ///   - all: Whether to take relaxed events before they are due.
    ///   - now: The current time.
    /// - Returns: The events, and the refusals not yet included in the stored ledgers.
    package func takeGroup(all: Bool, now: MonotonicInstant) -> BufferedGroup {
        withLanes { lanes in
            var group = collect(all: all, now: now)
            if group.isEmpty {
                // A caller of `track` from now on sees that the writer waits, and wakes it. The second collection finds
                // earlier events. The flag stays set even then: the writer is not the only caller, and may be waiting.
                isWriterIdle.store(true, ordering: .relaxed)
                group = collect(all: all, now: now)
            }
            lanes.noteTaken(group)
            group.followsDecision = !lanes.privacy.unapplied.isEmpty
            return group
        }
    }

    private func collect(all: Bool, now: MonotonicInstant) -> BufferedGroup {
        var group = BufferedGroup()
        guard all || isGroupDue(now: now) else { return group }
        // Without a last id, an event could be taken from one shard while an earlier one stays in another.
        let last = lastOfGroup
        for shard in shards { shard.withState { $0.move(upTo: last, into: &group) } }
        return group
    }

    private var lastOfGroup: EventID {
        let latest = ids.latest
        let counts = shards.map { shard in shard.withState { $0.count } }
        let count = counts.reduce(0, +)
        guard count > EventBuffer.maximumEvents, let largest = counts.indices.max(by: { counts[$0] < counts[$1] })
        else {
            return latest
        }
        // Assume that the events of the largest shard are spread evenly among the other shards' events.
        let share = counts[largest] * EventBuffer.maximumEvents / count
        return shards[largest].withState { $0.entries.dropFirst(share).first?.id } ?? latest
    }

    /// Whether any buffered event has an id up to the given one.
    ///
    /// - Parameter last: The highest id.
    package func hasBuffered(upTo last: EventID) -> Bool {
        shards.contains { shard in shard.withState { $0.entries.first.map { $0.id <= last } ?? false } }
    }

    private func isGroupDue(now: MonotonicInstant) -> Bool {
        var (count, hasRelaxed) = (0, false)
        for shard in shards {
            let (urgent, size, due) = shard.withState { ($0.urgent, $0.count, $0.relaxedDue) }
            count += size
            if urgent > 0 || due.map({ now >= $0 }) == true || count >= EventBuffer.groupSize { return true }
            hasRelaxed = hasRelaxed || due != nil
        }
        // Do not delay a group that contains only refusals for missing consent.
        return !hasRelaxed
    }

    /// The time by which relaxed events and losses must be stored, or `nil` if there are none.
    package var relaxedDue: MonotonicInstant? {
        shards.compactMap { shard in shard.withState { $0.relaxedDue } }.min()
    }

    /// Publishes that the writer has taken a group, if there is any listener, and notes each event for a detailed observer.
    ///
    /// - Parameter group: The events.
    package func publishAccepted(_ group: BufferedGroup) {
        guard outcomes.hasListeners || observation.isDetailed, !group.chunks.isEmpty else { return }
        let names = withLanes { $0.lanes.map(\.id) }
        if observation.isDetailed {
            group.forEach { observation.note(.tracked(names[$0.lane], name: $0.name)) }
        }
        guard outcomes.hasListeners else { return }
        var accepted: [(kind: EventOutcome.Kind, lane: LaneID, id: EventID?, count: Int)] = []
        group.forEach { accepted.append((.accepted, names[$0.lane], $0.id, 1)) }
        outcomes.publish(accepted)
    }

    /// Publishes the ledgers and statuses of changed lanes.
    ///
    /// - Parameters:
    ///   - lanes: The lanes, by index.
    ///   - group: The group that is in the outbox now, if any. The ledgers include it, and its capacity becomes free.
    /// - Returns: Whether a lane may have begun or ceased to wait for the app or for its user.
    @discardableResult
    package func publish(
        _ lanes: [(lane: Int, ledger: LaneLedger, status: LaneStatus)],
        storing group: BufferedGroup?
    ) -> Bool {
        defer { if let group { room.giveBack(group.share) } }
        return withLanes { known in
            if let group { known.noteStored(group) }
            return lanes.reduce(false) { known.publish($1.lane, $1.ledger, $1.status) || $0 }
        }
    }
}
