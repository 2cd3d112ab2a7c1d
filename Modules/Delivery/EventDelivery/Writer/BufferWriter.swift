import CoreTracker
import EventBuffer

/// A writer that moves tracked events from the buffer to the outbox, one group at a time.
///
/// It runs on the store's executor only.
final class BufferWriter {
    /// The minimum number of events for which encoding on another thread pays off.
    private static let eventsAhead = 256
    /// The maximum number of groups in one turn of the store.
    ///
    /// Other callers of the store wait for all of them.
    private static let groupsPerTurn = 8

    private let books: LaneBooks
    private let consent: StoredConsent
    private let erasures: StoredErasures
    private var committer: GroupCommitter
    /// The middleware that a diagnostic has reported as slow.
    private var slowMiddleware: Set<String> = []

    init(
        _ books: LaneBooks,
        consent: StoredConsent,
        erasures: StoredErasures,
        configuration: DeliveryConfiguration
    ) {
        self.books = books
        self.consent = consent
        self.erasures = erasures
        committer = GroupCommitter(configuration, clock: books.clock, runtime: books.buffer.runtime)
    }

    /// Stores all events that were tracked before the call.
    ///
    /// Later events are left to the writer's task.
    ///
    /// - Parameter barrier: Whether to force the events to disk.
    func persistAll(barrier: Bool) {
        guard books.isOpen, !books.isStopped else { return }
        if books.keeper.failure != nil {
            books.keeper.recover(lanes: &books.lanes)
            // Finish pending deletions of earlier runs before new events are stored beside that data.
            catchUp()
        }
        consent.storeLate()
        erasures.storeLate()
        persistBuffered()
        // The writer's task must notice that a barrier is due.
        if barrier { books.keeper.makeBarrier(lanes: &books.lanes) } else { books.buffer.wake.signal() }
        books.finishTurn()
    }

    /// Applies decisions and erasures that could not be stored while the storage was unusable.
    func catchUp() {
        consent.catchUp()
        erasures.retry()
        if books.keeper.failure == nil { consent.purgeOwed() }
    }

    /// Stores all events that were tracked before the call, if there is room for them.
    func persistBuffered() {
        let last = books.buffer.ids.latest
        repeat {
            guard persistNext(all: true) else { return }
        } while books.buffer.hasBuffered(upTo: last)
    }

    /// Stores the next group, on disk or, while the disk accepts no data, in memory.
    ///
    /// Relaxed events wait for others, for a minimum number or for a maximum age, unless `all` is set. If many more
    /// events arrive during the call, they are stored too.
    ///
    /// - Parameter all: Whether to include relaxed events that could still wait.
    /// - Returns: `false` if there was no group, or no room for it.
    func persistNext(all: Bool) -> Bool {
        books.keeper.renewInstallation(books.buffer.identity.value.deviceID)
        guard books.keeper.hasRoom else { return false }
        let group = books.buffer.takeGroup(all: all, now: books.clock.monotonicTime())
        books.lanes.adopt()
        consent.refuse(group.words)
        guard !group.isEmpty else { return false }
        consent.accept(persist(group))
        return true
    }

    /// Stores a group, and groups that fill up in the meantime.
    ///
    /// Each group is encoded on another thread while the previous one is committed. All groups are stored in one turn
    /// of the store: nothing else may change the lanes between encoding and committing a group.
    ///
    /// - Returns: The consent decisions that came with the last one.
    private func persist(_ first: BufferedGroup) -> [ConsentWord] {
        guard books.keeper.failure == nil else { return keep(first) }
        var current = write(first)
        for _ in 1..<BufferWriter.groupsPerTurn {
            guard let next = takeNext(after: &current) else { break }
            guard next.words == current.group.words else {
                // A consent decision came between the two groups. Apply it before encoding the second one.
                store(current)
                consent.refuse(next.words)
                guard books.keeper.failure == nil else { return keep(next) }
                current = write(next)
                break
            }
            let prepared = committer.prepare(
                next,
                lanes: current.writer.lanes,
                at: books.moment,
                deviceID: books.keeper.installation.opened
            )
            committer.ahead.start(prepared)
            let isStored = store(current)
            guard var written = committer.ahead.finish() else { return current.group.words }
            if isStored {
                committer.makeRoom(in: &written, outbox: books.keeper.outbox)
            } else {
                // The lanes have changed since the group was encoded for them.
                guard books.keeper.failure == nil else { return keep(written.group) }
                written = write(written.group)
            }
            current = written
        }
        store(current)
        return current.group.words
    }

    /// Takes the events that were tracked since a group was taken.
    ///
    /// - Returns: The group, or `nil` if there are too few events.
    private func takeNext(after current: inout WrittenGroup) -> BufferedGroup? {
        guard books.buffer.unstoredCount - current.group.count >= BufferWriter.eventsAhead else { return nil }
        books.keeper.renewInstallation(books.buffer.identity.value.deviceID)
        let group = books.buffer.takeGroup(all: true, now: books.clock.monotonicTime())
        books.lanes.adopt()
        current.writer.adopt(books.lanes.queues)
        return group
    }

    private func write(_ group: BufferedGroup) -> WrittenGroup {
        committer.write(
            group,
            lanes: books.lanes.queues,
            at: books.moment,
            deviceID: books.keeper.installation.opened,
            outbox: books.keeper.outbox
        )
    }

    /// Commits a group.
    ///
    /// After an error that was fixed at once, such as damage, the group is encoded again, because the fix has changed
    /// ledgers and places.
    ///
    /// - Returns: Whether it was stored as it was encoded.
    @discardableResult
    private func store(_ written: WrittenGroup) -> Bool {
        if commit(written) { return true }
        if books.keeper.failure != nil || !commit(write(written.group)) { keep(written.group) }
        return false
    }

    private func commit(_ written: WrittenGroup) -> Bool {
        let writer = written.writer
        do throws(OutboxError) {
            try books.keeper.commit(writer.change, barrier: writer.isStrict)
        } catch {
            books.keeper.handle(error, lanes: &books.lanes)
            return false
        }
        finish(written)
        if writer.isStrict { books.keeper.mark(books.lanes.rows) }
        for receipt in writer.receipts { receipt.waiting.resume(returning: receipt.receipt) }
        return true
    }

    /// Keeps a group in memory.
    ///
    /// Its receipts wait until the events are stored or delivered.
    @discardableResult
    private func keep(_ group: BufferedGroup) -> [ConsentWord] {
        let written = write(group)
        books.keeper.keep(written.writer.change, receipts: written.writer.receipts)
        finish(written)
        return group.words
    }

    private func finish(_ written: WrittenGroup) {
        let writer = written.writer
        books.lanes.queues = writer.lanes
        let touched = writer.touched
        books.refreshHeads(of: touched, after: writer.change)
        let published = touched.map {
            (lane: $0, ledger: books.lanes[$0].stored.ledger, status: books.lanes[$0].status)
        }
        books.buffer.recordStored(written.group, published: published)
        for loss in writer.losses {
            books.statuses.note(loss.id, lane: books.lanes[loss.lane].id, .dropped(loss.reason))
        }
        for (lane, reasons) in writer.drops {
            for (reason, count) in reasons {
                books.diagnostics.send(.dropped(lane: books.lanes[lane].id, reason: reason, count: count))
            }
        }
        for (name, average) in writer.middleware.slow where slowMiddleware.insert(name).inserted {
            books.diagnostics.send(.slowMiddleware(name: name, average: average))
        }
        for index in touched { books.lanes.wakes[index].signal() }
        books.finishTurn()
    }
}
