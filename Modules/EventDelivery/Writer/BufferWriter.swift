import CoreTracker

/// Stores what is tracked: takes groups out of the intake, has them written against the lanes, and commits them.
///
/// It is confined to the store's executor.
final class BufferWriter {
    /// The fewest events for which another thread is worth its while.
    private static let eventsAhead = 256
    /// The most groups in one turn; whoever waits for the store waits for them all.
    private static let groupsPerTurn = 8

    private let books: LaneBooks
    private let consent: StoredConsent
    private let erasures: StoredErasures
    private var committer: GroupCommitter

    init(
        _ books: LaneBooks,
        consent: StoredConsent,
        erasures: StoredErasures,
        configuration: DeliveryConfiguration
    ) {
        self.books = books
        self.consent = consent
        self.erasures = erasures
        committer = GroupCommitter(
            budget: configuration.budget,
            salt: configuration.salt,
            runtime: books.intake.runtime
        )
    }

    /// Stores everything that was tracked before the call; what comes meanwhile is left to the writer.
    func persistAll(barrier: Bool) {
        guard !books.isStopped else { return }
        if books.keeper.failure != nil {
            books.keeper.recover(lanes: &books.lanes)
            // What earlier runs owe is deleted before anything new lies beside it.
            catchUp()
        }
        books.settleInstallation()
        consent.storeLate()
        erasures.storeLate()
        persistBuffered()
        // The writer has to see that a barrier is due.
        if barrier { books.keeper.makeBarrier(lanes: &books.lanes) } else { books.intake.wake.signal() }
        books.finishTurn()
    }

    /// Makes up for what could not reach the files while the storage could not be used.
    func catchUp() {
        consent.catchUp()
        erasures.retry()
        if books.keeper.failure == nil { consent.purgeOwed() }
    }

    /// Stores everything that was tracked before the call, as far as there is room for it.
    func persistBuffered() {
        let last = books.intake.ids.latest
        repeat {
            guard persistNext(all: true) else { return }
        } while books.intake.hasBuffered(upTo: last)
    }

    /// Stores the next group, on disk or, while the disk takes nothing, in memory; `false` when there was none or there
    /// is no room for it.
    ///
    /// Relaxed events wait until others come, until they are many or until they are old enough, unless all are asked
    /// for. Where many more come meanwhile, they are stored too.
    func persistNext(all: Bool) -> Bool {
        books.keeper.renewInstallation(books.intake.identity.value.deviceID)
        guard books.keeper.hasRoom else { return false }
        let group = books.intake.takeGroup(all: all, now: books.clock.monotonicTime())
        books.lanes.adopt()
        consent.refuse(group.words)
        guard !group.isEmpty else { return false }
        consent.accept(persist(group))
        return true
    }

    /// Stores a group and those that fill up meanwhile; returns the last words about consent that came with them.
    ///
    /// Each is encoded on another thread while the one before is committed.
    ///
    /// It is one turn of the store, so that nobody else changes the lanes that a group is written against.
    private func persist(_ first: IntakeGroup) -> [ConsentWord] {
        guard books.keeper.failure == nil else { return keep(first) }
        var current = write(first)
        for _ in 1..<BufferWriter.groupsPerTurn {
            guard let next = takeNext(after: &current) else { break }
            guard next.words == current.group.words else {
                // A word about consent has come between the two: the second is written once it is applied.
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
                // The lanes are not those that it was written against.
                guard books.keeper.failure == nil else { return keep(written.group) }
                written = write(written.group)
            }
            current = written
        }
        store(current)
        return current.group.words
    }

    /// Takes what has come since a group was taken; `nil` when it is too little.
    private func takeNext(after current: inout WrittenGroup) -> IntakeGroup? {
        guard books.intake.unstoredCount - current.group.count >= BufferWriter.eventsAhead else { return nil }
        books.keeper.renewInstallation(books.intake.identity.value.deviceID)
        let group = books.intake.takeGroup(all: true, now: books.clock.monotonicTime())
        books.lanes.adopt()
        current.writer.adopt(books.lanes.queues)
        return group
    }

    private func write(_ group: IntakeGroup) -> WrittenGroup {
        committer.write(
            group,
            lanes: books.lanes.queues,
            at: books.moment,
            deviceID: books.keeper.installation.opened,
            outbox: books.keeper.outbox
        )
    }

    /// Commits a group; returns whether it was stored as it was written.
    ///
    /// After an error that may have been repaired at once, such as damage, it is written again, since that has left
    /// other ledgers and places.
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

    /// Keeps a group in memory; receipts wait until it is stored or delivered.
    @discardableResult
    private func keep(_ group: IntakeGroup) -> [ConsentWord] {
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
        books.intake.recordStored(written.group, published: published)
        for loss in writer.losses { books.fates.note(loss.id, lane: books.lanes[loss.lane].id, .dropped(loss.reason)) }
        for (lane, reasons) in writer.drops {
            for (reason, count) in reasons {
                books.diagnostics.send(.dropped(lane: books.lanes[lane].id, reason: reason, count: count))
            }
        }
        for index in touched { books.lanes.wakes[index].signal() }
        books.finishTurn()
    }
}
