import CoreTracker
import EventOutbox
import EventTracking

/// A writer that moves tracked events from the buffer to the outbox, one group in each turn of the store.
///
/// It runs on the store's executor only.
final class BufferWriter {
    private let state: DeliveryState
    private let decisions: Decisions
    private let redactor: SensitiveValueRedactor
    private let middleware: MiddlewareChain
    private var encoder = EventEncoder()
    private var evictor = Evictor()

    init(_ state: DeliveryState, decisions: Decisions) {
        self.state = state
        self.decisions = decisions
        redactor = SensitiveValueRedactor(salt: state.configuration.salt)
        middleware = MiddlewareChain(list: state.configuration.middleware)
    }

    /// Stores the next group, on disk or, while the disk accepts no data, in memory.
    ///
    /// Relaxed events wait for others, for a minimum number or for a maximum age, unless `all` is set.
    ///
    /// - Parameter all: Whether to include relaxed events that could still wait.
    /// - Returns: `false` if there was no group, or no room for it.
    func storeNext(all: Bool) -> Bool {
        guard state.storage.hasRoom else { return false }
        // Events still in the buffer are not lost with the directory.
        guard state.storage.ownsDirectory else {
            state.handle(.directoryInUse)
            return false
        }
        let group = state.buffer.takeGroup(all: all, now: state.buffer.clock.monotonicTime())
        state.lanes.adopt()
        guard !group.isEmpty else { return false }
        state.buffer.publishAccepted(group)
        // A decision is applied before later events are stored, so it covers all stored events.
        if group.followsDecision { decisions.apply() }
        store(group)
        return true
    }

    /// Commits a group, or keeps it in memory if the disk refuses it.
    ///
    /// If an error was fixed at once, such as damage, the group is encoded again, because the fix has changed ledgers
    /// and places.
    private func store(_ group: BufferedGroup) {
        for isLast in [false, true] where state.storage.state.acceptsChanges {
            let writer = encode(group)
            do throws(OutboxError) {
                let effects = writer.effects
                try state.storage.commit(writer.change, barrier: effects.isStrict, losing: effects.losses)
                finish(writer, group)
                if effects.isStrict { state.writeCheckpoint() }
                return state.storage.completeReceipts(effects.receipts)
            } catch {
                // After the last attempt, the storage must not be ready: the group is in memory only.
                if isLast { state.storage.failed(error) } else { state.handle(error) }
            }
        }
        keep(group)
    }

    private func encode(_ group: BufferedGroup) -> GroupWriter {
        var writer = GroupWriter(
            GroupWriter.Base(
                number: state.row.number,
                privacy: state.buffer.withLanes { $0.privacy },
                changedState: decisions.changedState(),
                moment: state.moment,
                identity: state.buffer.identity,
                deviceID: decisions.installationAtOpening,
                hasListeners: state.buffer.outcomes.hasListeners,
                consentBudget: state.configuration.budget.eventsAwaitingConsent
            ),
            redactor: redactor,
            middleware: middleware
        )
        writer.write(group, lanes: state.lanes, encoder: &encoder)
        evictor.makeRoom(
            in: &writer,
            lanes: state.lanes,
            budget: state.configuration.budget,
            outbox: state.storage.outbox,
            row: state.row
        )
        // Under a flood, the events behind the group share a request with it.
        writer.saveLanes(state.newID, isFlood: state.buffer.unstoredCount > group.count)
        return writer
    }

    /// Keeps a group in memory.
    ///
    /// Its receipts wait until the events are stored or delivered. If the directory was released in the meantime, there
    /// is no outbox to keep it in, and its events are counted as lost.
    private func keep(_ group: BufferedGroup) {
        guard state.isOpen else { return lose(group) }
        let writer = encode(group)
        state.storage.keep(writer.change, losing: writer.effects.losses)
        state.storage.completeReceipts(writer.effects.receipts)
        finish(writer, group)
    }

    private func lose(_ group: BufferedGroup) {
        state.buffer.publish([], storing: group)
        state.buffer.putBackRefusals(of: group)
        group.forEach { event in
            state.buffer.drop(lane: event.lane, .bufferFull)
            state.buffer.outcomes.publish(
                .dropped(.bufferFull),
                lane: state.lanes[event.lane].id,
                CollectionOfOne(event.id)
            )
            event.answer(.dropped(.bufferFull))
        }
    }

    private func finish(_ writer: GroupWriter, _ group: BufferedGroup) {
        for (index, lane) in zip(writer.indices, writer.lanes) { state.lanes[index] = lane }
        if let row = writer.change.savedState { state.row = row }
        state.refreshHeads(of: writer.indices, after: writer.change)
        for loss in writer.effects.losses { state.journal.record(loss) }
        for (lane, reasons) in writer.effects.drops {
            for (reason, count) in reasons {
                let rest = count - (group.reported[lane]?[reason] ?? 0)
                guard rest > 0 else { continue }
                state.buffer.diagnostics.send(.dropped(lane: state.lanes[lane].id, reason: reason, count: rest))
            }
        }
        state.publishOutcomes(of: writer.effects.losses)
        state.publish(writer.indices, storing: group)
    }
}
