import CoreTracker

/// Storing what is tracked.
extension DeliveryStore {
    /// Stores groups until the store is stopped.
    func runWriter() async {
        while !isStopped {
            let now = clock.monotonicTime()
            if keeper.isAttemptDue {
                keeper.recover(lanes: &lanes)
                purgeOwed()
                finishTurn()
            } else if keeper.isBarrierDue {
                keeper.makeBarrier(lanes: &lanes)
            } else if persistNext(all: false) {
                // Whoever lines up for the store comes first, however much is tracked.
                await Task.yield()
                guard intake.unstoredCount < Intake.groupSize else { continue }
                let end = now.advanced(by: DeliveryStore.groupWindow)
                await intake.wake.wait(until: end, clock: clock, runtime: intake.runtime)
            } else if keeper.adoptNext(lanes: &lanes) {
                purgeOwed()
                finishTurn()
                await Task.yield()
            } else if keeper.needsMaintenance {
                keeper.maintain(lanes: &lanes)
            } else if let due = nextDue {
                await intake.wake.wait(until: due, clock: clock, runtime: intake.runtime)
            } else {
                await intake.wake.wait()
            }
        }
    }

    /// When the writer has something to do although nothing urgent is tracked.
    private var nextDue: MonotonicInstant? {
        [keeper.hasRoom ? intake.relaxedDue : nil, keeper.nextDue].compactMap { $0 }.min()
    }

    /// Stores everything that was tracked before the call; what comes meanwhile is left to the writer.
    func persistAll(barrier: Bool) {
        guard !isStopped else { return }
        keeper.recover(lanes: &lanes)
        persistBuffered()
        // The writer has to see that a barrier is due.
        if barrier { keeper.makeBarrier(lanes: &lanes) } else { intake.wake.signal() }
        finishTurn()
    }

    /// Stores everything that was tracked before the call, as far as there is room for it.
    func persistBuffered() {
        let last = intake.ids.latest
        repeat {
            guard persistNext(all: true) else { return }
        } while intake.hasBuffered(upTo: last)
    }

    /// Stores the next group, on disk or, while the disk takes nothing, in memory; `false` when there was none or there
    /// is no room for it.
    ///
    /// Relaxed events wait until others come, until they are many or until they are old enough, unless all are asked
    /// for. Where many more come meanwhile, they are stored too.
    private func persistNext(all: Bool) -> Bool {
        keeper.renewInstallation(intake.identity.value.deviceID)
        guard keeper.hasRoom else { return false }
        let group = intake.takeGroup(all: all, now: clock.monotonicTime())
        lanes.adopt()
        refuse(group.words)
        guard !group.isEmpty else { return false }
        accept(persist(group))
        return true
    }

    /// Stores a group and those that fill up meanwhile; returns the last words about consent that came with them.
    ///
    /// Each is encoded on another thread while the one before is committed.
    ///
    /// It is one turn of the actor, so that nobody else changes the lanes that a group is written against.
    private func persist(_ first: IntakeGroup) -> [ConsentWord] {
        guard keeper.failure == nil else { return keep(first) }
        var current = write(first)
        for _ in 1..<DeliveryStore.groupsPerTurn {
            guard let next = takeNext(after: &current) else { break }
            guard next.words == current.group.words else {
                // A word about consent has come between the two: the second is written once it is applied.
                store(current)
                refuse(next.words)
                guard keeper.failure == nil else { return keep(next) }
                current = write(next)
                break
            }
            let prepared = committer.prepare(
                next,
                lanes: current.writer.lanes,
                at: moment,
                deviceID: keeper.openedDeviceID
            )
            committer.ahead.start(prepared)
            let isStored = store(current)
            guard var written = committer.ahead.finish() else { return current.group.words }
            if isStored {
                committer.makeRoom(in: &written, outbox: keeper.outbox)
            } else {
                // The lanes are not those that it was written against.
                guard keeper.failure == nil else { return keep(written.group) }
                written = write(written.group)
            }
            current = written
        }
        store(current)
        return current.group.words
    }

    /// Takes what has come since a group was taken; `nil` when it is too little.
    private func takeNext(after current: inout WrittenGroup) -> IntakeGroup? {
        guard intake.unstoredCount - current.group.count >= DeliveryStore.eventsAhead else { return nil }
        keeper.renewInstallation(intake.identity.value.deviceID)
        let group = intake.takeGroup(all: true, now: clock.monotonicTime())
        lanes.adopt()
        current.writer.adopt(lanes.queues)
        return group
    }

    private func write(_ group: IntakeGroup) -> WrittenGroup {
        committer.write(
            group,
            lanes: lanes.queues,
            at: moment,
            deviceID: keeper.openedDeviceID,
            outbox: keeper.outbox
        )
    }

    /// Commits a group; returns whether it was stored as it was written.
    ///
    /// After an error that may have been repaired at once, such as damage, it is written again, since that has left
    /// other ledgers and places.
    @discardableResult
    private func store(_ written: WrittenGroup) -> Bool {
        if commit(written) { return true }
        if keeper.failure != nil || !commit(write(written.group)) { keep(written.group) }
        return false
    }

    private func commit(_ written: WrittenGroup) -> Bool {
        let writer = written.writer
        do throws(OutboxError) {
            try keeper.commit(writer.change, barrier: writer.isStrict)
        } catch {
            keeper.handle(error, lanes: &lanes)
            return false
        }
        finish(written)
        if writer.isStrict { keeper.mark(lanes.rows) }
        for receipt in writer.receipts { receipt.continuation.resume(returning: receipt.receipt) }
        return true
    }

    /// Keeps a group in memory; receipts wait until it is stored or delivered.
    @discardableResult
    private func keep(_ group: IntakeGroup) -> [ConsentWord] {
        let written = write(group)
        keeper.keep(written.writer.change, receipts: written.writer.receipts)
        finish(written)
        return group.words
    }

    private func finish(_ written: WrittenGroup) {
        let writer = written.writer
        lanes.queues = writer.lanes
        let touched = writer.touched
        if !writer.change.removed.isEmpty {
            for index in touched { lanes[index].refreshHead(from: keeper.outbox) }
        }
        let published = touched.map { (lane: $0, ledger: lanes[$0].stored.ledger, status: lanes[$0].status) }
        intake.recordStored(written.group, published: published)
        for loss in writer.losses { fates.note(loss.id, lane: lanes[loss.lane].id, .dropped(loss.reason)) }
        for (lane, reasons) in writer.drops {
            for (reason, count) in reasons {
                diagnostics.send(.dropped(lane: lanes[lane].id, reason: reason, count: count))
            }
        }
        for index in touched { lanes.wakes[index].signal() }
        finishTurn()
    }
}
