import CoreTracker

/// How groups of tracked events get into the outbox.
extension DeliveryStore {
    /// How long the writer waits for more events after it has stored a group.
    private static let groupWindow: Duration = .milliseconds(5)
    /// How long stored events may lack a barrier.
    private static let barrierInterval: Duration = .seconds(1)
    /// What may be kept in memory while the disk takes nothing; beyond it events wait in the intake, up to its bound.
    private static let memoryEvents = 8_192
    private static let memoryBytes = 4_000_000

    /// Stores groups until the store is stopped.
    func runWriter() async {
        while !isStopped {
            let now = clock.monotonicTime()
            if storageFailure != nil, now >= nextStorageAttempt {
                recover()
            } else if storageFailure == nil, let dirtySince, now >= dirtySince.advanced(by: Self.barrierInterval) {
                makeBarrier()
            } else if persistNext(all: false) {
                await intake.wake.wait(until: now.advanced(by: DeliveryStore.groupWindow), clock: clock)
            } else if adoptNext() {
                await Task.yield()
            } else if needsMaintenance {
                maintain()
            } else if let due = nextDue {
                await intake.wake.wait(until: due, clock: clock)
            } else {
                await intake.wake.wait()
            }
        }
    }

    /// When the writer has something to do although nothing urgent is tracked.
    private var nextDue: MonotonicInstant? {
        let relaxed = hasRoom ? intake.relaxedDue : nil
        let storage = storageFailure == nil ? dirtySince?.advanced(by: Self.barrierInterval) : nextStorageAttempt
        let left = storageFailure == nil && file != nil ? leftFiles.map(\.notBefore).min() : nil
        return [relaxed, storage, left].compactMap { $0 }.min()
    }

    /// Stores everything that was tracked before the call, and takes over all that ended processes have left; what
    /// comes meanwhile is left to the writer.
    func persistAll(barrier: Bool) {
        recover()
        _ = persistNext(all: true)
        while adoptNext() {}
        if barrier { makeBarrier() }
    }

    /// Makes everything stored so far survive a power loss.
    func makeBarrier() {
        guard storageFailure == nil else { return }
        guard outbox.isPresent else { return handle(.vanished) }
        do throws(OutboxError) {
            try commit(OutboxChange(), barrier: true)
            mark()
        } catch {
            return handle(error)
        }
        file?.ballast.fill()
        // Whoever waits for the barrier need not wait for what it leaves to tidy up.
        needsMaintenance = true
        intake.wake.signal()
    }

    /// Tidies up after a barrier, once the writer has nothing else to do.
    private func maintain() {
        needsMaintenance = false
        guard storageFailure == nil else { return }
        do throws(OutboxError) {
            try outbox.maintain()
        } catch {
            handle(error)
        }
    }

    /// Stores the next group, on disk or, while the disk takes nothing, in memory; `false` when there was none or there
    /// is no room for it.
    ///
    /// Relaxed events wait until others come, until they are many or until they are old enough, unless all are asked
    /// for.
    func persistNext(all: Bool) -> Bool {
        renewInstallation()
        guard hasRoom else { return false }
        let group = intake.takeGroup(all: all, now: clock.monotonicTime())
        guard !group.isEmpty else { return false }
        adoptLanes()
        // An error that is mended at once, such as damage, leaves other books and places than the group was written to.
        let isStored = store(group) || storageFailure == nil && store(group)
        if !isStored { keep(group) }
        return true
    }

    /// Whether the next group can be stored or kept in memory.
    var hasRoom: Bool {
        guard storageFailure != nil else { return true }
        let size = outbox.buffer.size
        return size.events < DeliveryStore.memoryEvents && size.bytes < DeliveryStore.memoryBytes
    }

    private func store(_ group: IntakeGroup) -> Bool {
        guard storageFailure == nil else { return false }
        let writer = write(group)
        do throws(OutboxError) {
            try commit(writer.change, barrier: writer.isStrict)
        } catch {
            handle(error)
            return false
        }
        finish(writer, group)
        if writer.isStrict { mark() }
        for receipt in writer.receipts { receipt.continuation.resume(returning: receipt.receipt) }
        return true
    }

    /// Keeps a group in memory; receipts wait until it is stored or delivered.
    private func keep(_ group: IntakeGroup) {
        let writer = write(group)
        outbox.keep(writer.change)
        finish(writer, group)
        for (lane, continuation, receipt) in writer.receipts {
            if receipt.outcome == .persisted {
                unconfirmed[receipt.id] = (lane, continuation)
            } else {
                continuation.resume(returning: receipt)
            }
        }
    }

    private func write(_ group: IntakeGroup) -> GroupWriter {
        var writer = GroupWriter(
            lanes: lanes,
            moment: moment,
            deviceID: deviceID,
            heldBudget: configuration.budget.heldEvents,
            disclosure: Disclosure(salt: configuration.salt)
        )
        writer.write(group, encoder: &encoder)
        makeRoom(in: &writer)
        return writer
    }

    /// Stores the new installation's id after a reset.
    private func renewInstallation() {
        let current = intake.identity.value.deviceID
        guard current != deviceID, !current.isEmpty else { return }
        deviceID = current
        if let directory = configuration.directory { Installation.write(current, directory: directory) }
    }

    private func finish(_ writer: GroupWriter, _ group: IntakeGroup) {
        lanes = writer.lanes
        var ledgers: [Int: LaneLedger] = [:]
        for index in writer.touched { ledgers[index] = lanes[index].stored.ledger }
        intake.recordStored(group, ledgers: ledgers)
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
