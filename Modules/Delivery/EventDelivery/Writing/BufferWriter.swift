import CoreTracker
import EventDeliveryAPI
import EventOutbox

/// A writer that moves tracked events from the buffer to the outbox, one group at a time.
///
/// It runs on the store's executor only.
final class BufferWriter {
    /// The minimum number of events for which encoding on another thread pays off.
    private static let eventsAhead = 256
    /// The maximum number of groups in one turn of the state.
    ///
    /// Other callers of the store wait for all of them.
    private static let groupsPerTurn = 8

    private let state: DeliveryState
    private let decisions: DecisionStore
    private var encoder: GroupEncoder
    /// The middleware reported as slow by a diagnostic.
    private var slowMiddleware: Set<String> = []

    init(_ state: DeliveryState, decisions: DecisionStore) {
        self.state = state
        self.decisions = decisions
        encoder = GroupEncoder(state.configuration, clock: state.buffer.clock, runtime: state.buffer.runtime)
    }

    /// Stores all events tracked before the call, if there is room for them.
    func storeBuffered() {
        let last = state.buffer.ids.latest
        repeat {
            guard storeNext(all: true) else { return }
        } while state.buffer.hasBuffered(upTo: last)
    }

    /// Stores the next group, on disk or, while the disk accepts no data, in memory.
    ///
    /// Relaxed events wait for others, for a minimum number or for a maximum age, unless `all` is set. If many more
    /// events arrive during the call, they are stored too.
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
        if group.followsDecision { decisions.applyUnstored() }
        store(group)
        return true
    }

    /// Stores a group, and groups that fill up in the meantime.
    ///
    /// Each group is encoded on another thread while the previous one is committed. All groups are stored in one turn
    /// of the store: nothing else may change the lanes between encoding and committing a group.
    private func store(_ first: BufferedGroup) {
        guard state.storage.state.acceptsChanges else { return keep(first) }
        var current = encode(first)
        for _ in 1..<BufferWriter.groupsPerTurn {
            guard let next = takeNext(after: &current) else { break }
            guard !next.followsDecision else {
                store(current)
                decisions.applyUnstored()
                guard state.storage.state.acceptsChanges else { return keep(next) }
                current = encode(next)
                break
            }
            encoder.ahead.start(encoder.prepare(next, for: base(after: current.writer)))
            let isStored = store(current)
            guard var encoded = encoder.ahead.finish() else { return }
            if isStored {
                encoder.makeRoom(in: &encoded, outbox: state.storage.outbox, privacy: state.privacy)
            } else {
                // The lanes have changed since the group was encoded for them.
                guard state.storage.state.acceptsChanges else { return keep(encoded.group) }
                encoded = encode(encoded.group)
            }
            current = encoded
        }
        store(current)
    }

    /// Takes the events tracked since a group was taken.
    ///
    /// - Returns: The group, or `nil` if there are too few events.
    private func takeNext(after current: inout EncodedGroup) -> BufferedGroup? {
        guard state.buffer.unstoredCount - current.group.count >= BufferWriter.eventsAhead else { return nil }
        let group = state.buffer.takeGroup(all: true, now: state.buffer.clock.monotonicTime())
        state.lanes.adopt()
        state.buffer.publishAccepted(group)
        current.writer.adopt(state.lanes.queues)
        return group
    }

    /// Returns the state of the store, after another group is committed.
    private func base(after writer: GroupWriter? = nil) -> GroupEncoder.Base {
        var exclusions = state.exclusions
        let stored = writer?.change.state
        if let stored { exclusions.state = stored }
        return GroupEncoder.Base(
            lanes: writer?.lanes ?? state.lanes.queues,
            exclusions: exclusions,
            changedState: stored == nil ? decisions.changedState() : nil,
            moment: state.moment,
            identity: state.buffer.identity,
            deviceID: decisions.installationAtOpening,
            hasListeners: state.buffer.outcomes.hasListeners
        )
    }

    private func encode(_ group: BufferedGroup) -> EncodedGroup {
        encoder.encode(group, for: base(), outbox: state.storage.outbox, privacy: state.privacy)
    }

    /// Commits a group.
    ///
    /// If an error was fixed at once, such as damage, the group is encoded again, because the fix has changed ledgers
    /// and places.
    ///
    /// - Returns: Whether it was stored as it was encoded.
    @discardableResult
    private func store(_ encoded: EncodedGroup) -> Bool {
        if commit(encoded) { return true }
        if !state.storage.state.acceptsChanges || !commit(encode(encoded.group)) { keep(encoded.group) }
        return false
    }

    private func commit(_ encoded: EncodedGroup) -> Bool {
        let writer = encoded.writer
        do throws(OutboxError) {
            try state.storage.commit(
                writer.change,
                barrier: writer.effects.isStrict,
                losing: writer.effects.losses
            )
        } catch {
            state.handle(error)
            return false
        }
        finish(encoded)
        if writer.effects.isStrict { state.storage.writeCheckpoint(state.lanes.rows, number: state.privacy.number) }
        state.storage.completeReceipts(writer.effects.receipts)
        return true
    }

    /// Keeps a group in memory.
    ///
    /// Its receipts wait until the events are stored or delivered. If the directory was released in the meantime, there
    /// is no outbox to keep it in, and its events are counted as lost.
    private func keep(_ group: BufferedGroup) {
        guard state.isOpen else { return lose(group) }
        let encoded = encode(group)
        state.storage.keep(encoded.writer.change, losing: encoded.writer.effects.losses)
        state.storage.completeReceipts(encoded.writer.effects.receipts)
        finish(encoded)
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

    private func finish(_ encoded: EncodedGroup) {
        let writer = encoded.writer
        var rows = state.privacy
        rows.state = writer.change.state ?? rows.state
        let stored = state.lanes.queues
        state.use(writer.lanes, rows)
        let touched = writer.touched
        state.refreshHeads(of: touched, after: writer.change)
        correctHeads(of: stored)
        for loss in writer.effects.losses { state.journal.record(loss) }
        for (number, count) in writer.effects.erased { decisions.countErased(count, by: number) }
        for (lane, reasons) in writer.effects.drops {
            for (reason, count) in reasons {
                let rest = count - (encoded.group.reported[lane]?[reason] ?? 0)
                guard rest > 0 else { continue }
                state.buffer.diagnostics.send(.dropped(lane: state.lanes[lane].id, reason: reason, count: rest))
            }
        }
        state.publishOutcomes(of: writer.effects.losses)
        for (name, average) in writer.middleware.slow where slowMiddleware.insert(name).inserted {
            state.buffer.diagnostics.send(.slowMiddleware(name: name, average: average))
        }
        state.publish(touched, storing: encoded.group)
    }

    /// Refreshes the heads of lanes that are not stored any more.
    ///
    /// A group may be encoded before the last commit evicts such a head.
    ///
    /// - Parameter lanes: The lanes before the group.
    private func correctHeads(of lanes: [LaneQueue]) {
        // A loop over the elements would copy each lane.
        for index in lanes.indices {
            guard let place = state.lanes[index].head?.place, place != lanes[index].head?.place,
                place.number < lanes[index].stored.nextNumber
            else { continue }
            state.lanes[index].refreshHead(from: state.storage.outbox, state.exclusions)
        }
    }
}
