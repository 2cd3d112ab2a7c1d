/// How groups of tracked events get into the outbox.
extension DeliveryStore {
    /// What may be kept in memory while the disk takes nothing; beyond it events wait in the intake, up to its bound.
    private static let memoryEvents = 8_192
    private static let memoryBytes = 4_000_000
    /// The fewest events for which another thread is worth its while.
    private static let eventsAhead = 256
    /// The most groups in one turn; whoever waits for the store waits for them all.
    private static let groupsPerTurn = 8

    /// Stores the next group, on disk or, while the disk takes nothing, in memory; `false` when there was none or there
    /// is no room for it.
    ///
    /// Relaxed events wait until others come, until they are many or until they are old enough, unless all are asked
    /// for. Where many more come meanwhile, they are stored too.
    func persistNext(all: Bool) -> Bool {
        renewInstallation()
        guard hasRoom else { return false }
        let group = intake.takeGroup(all: all, now: clock.monotonicTime())
        guard !group.isEmpty else { return false }
        adoptLanes()
        persist(group)
        return true
    }

    /// Stores everything that was tracked before the call, as far as there is room for it.
    func persistBuffered() {
        let last = intake.ids.latest
        repeat {
            guard persistNext(all: true) else { return }
        } while intake.hasBuffered(upTo: last)
    }

    /// Whether the next group can be stored or kept in memory.
    var hasRoom: Bool {
        guard storageFailure != nil else { return true }
        let size = outbox.buffer.size
        return size.events < DeliveryStore.memoryEvents && size.bytes < DeliveryStore.memoryBytes
    }

    /// Stores a group, and those that fill up meanwhile: each is encoded on another thread while the one before is
    /// committed.
    ///
    /// It is one turn of the actor, so that nobody else changes the lanes that a group is written against.
    private func persist(_ first: IntakeGroup) {
        guard storageFailure == nil else { return keep(first) }
        var current = write(first)
        for _ in 1..<DeliveryStore.groupsPerTurn {
            guard encodeNext(after: &current) else { break }
            let isStored = commit(current)
            if !isStored { storeAgain(current.group) }
            guard var next = encoding.finish() else { return }
            if isStored {
                makeRoom(in: &next.writer)
            } else {
                // The lanes are not those that it was written against.
                guard storageFailure == nil else { return keep(next.group) }
                next = write(next.group)
            }
            current = next
        }
        if !commit(current) { storeAgain(current.group) }
    }

    /// Starts to encode what has come since a group was taken, as if that were stored; `false` when it is too little.
    private func encodeNext(after current: inout WrittenGroup) -> Bool {
        guard intake.unstoredCount - current.group.count >= DeliveryStore.eventsAhead else { return false }
        renewInstallation()
        let group = intake.takeGroup(all: true, now: clock.monotonicTime())
        adoptLanes()
        current.writer.adopt(lanes)
        encoding.start(WrittenGroup(group: group, writer: writer(for: current.writer.lanes)))
        return true
    }

    private func write(_ group: IntakeGroup) -> WrittenGroup {
        var written = WrittenGroup(group: group, writer: writer(for: lanes))
        written.write(encoder: &encoder)
        makeRoom(in: &written.writer)
        return written
    }

    private func writer(for lanes: [LaneState]) -> GroupWriter {
        GroupWriter(
            lanes: lanes,
            moment: moment,
            deviceID: openedDeviceID,
            heldBudget: configuration.budget.heldEvents,
            disclosure: Disclosure(salt: configuration.salt)
        )
    }

    private func commit(_ written: WrittenGroup) -> Bool {
        let writer = written.writer
        do throws(OutboxError) {
            try commit(writer.change, barrier: writer.isStrict)
        } catch {
            handle(error)
            return false
        }
        finish(written)
        if writer.isStrict { mark() }
        for receipt in writer.receipts { receipt.continuation.resume(returning: receipt.receipt) }
        return true
    }

    /// Stores a group after an error that may have been mended at once, such as damage, and has left other books and
    /// places than the group was written to.
    private func storeAgain(_ group: IntakeGroup) {
        guard storageFailure == nil, commit(write(group)) else { return keep(group) }
    }

    /// Keeps a group in memory; receipts wait until it is stored or delivered.
    private func keep(_ group: IntakeGroup) {
        let written = write(group)
        outbox.keep(written.writer.change)
        finish(written)
        for (lane, continuation, receipt) in written.writer.receipts {
            if receipt.outcome == .persisted {
                unconfirmed[receipt.id] = (lane, continuation)
            } else {
                continuation.resume(returning: receipt)
            }
        }
    }

    /// Stores the new installation's id after a reset.
    private func renewInstallation() {
        let current = intake.identity.value.deviceID
        guard current != deviceID, !current.isEmpty else { return }
        deviceID = current
        if let directory = configuration.directory { Installation.write(current, directory: directory) }
    }

    private func finish(_ written: WrittenGroup) {
        let writer = written.writer
        lanes = writer.lanes
        var ledgers: [Int: LaneLedger] = [:]
        for index in writer.touched { ledgers[index] = lanes[index].stored.ledger }
        intake.recordStored(written.group, ledgers: ledgers)
        for loss in writer.losses {
            recentFates.note(loss.id, lane: lanes[loss.lane].stored.id, .dropped(loss.reason))
        }
        for (lane, reasons) in writer.drops {
            for (reason, count) in reasons {
                diagnostics.send(.dropped(lane: lanes[lane].stored.id, reason: reason, count: count))
            }
        }
        for index in writer.touched { lanes[index].wake.signal() }
    }
}
