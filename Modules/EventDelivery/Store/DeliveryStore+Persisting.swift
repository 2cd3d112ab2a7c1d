import CoreTracker

/// How groups of tracked events get into the outbox.
extension DeliveryStore {
    /// How long the writer waits for more events after it has stored a group.
    private static let groupWindow: Duration = .milliseconds(5)
    /// How long stored events may lack a barrier, and relaxed ones may stay in memory.
    private static let barrierInterval: Duration = .seconds(1)

    /// Stores groups until the store is stopped.
    func runWriter() async {
        while !isStopped {
            let now = clock.monotonicTime()
            if storageFailure != nil, lastStorageAttempt.duration(to: now) < DeliveryStore.barrierInterval {
                await intake.wake.wait(until: lastStorageAttempt.advanced(by: .seconds(1)), clock: clock)
            } else if persistNext() {
                await intake.wake.wait(until: now.advanced(by: DeliveryStore.groupWindow), clock: clock)
            } else if let dirtySince {
                let due = dirtySince.advanced(by: DeliveryStore.barrierInterval)
                if now >= due { makeBarrier() } else { await intake.wake.wait(until: due, clock: clock) }
            } else {
                await intake.wake.wait()
            }
        }
    }

    /// Stores everything that was tracked before the call; what comes meanwhile is left to the writer.
    func persistAll(barrier: Bool) {
        if retained == nil || persistNext() { _ = persistNext() }
        if barrier { makeBarrier() }
    }

    /// Makes everything stored so far survive a power loss.
    func makeBarrier() {
        checkPresence()
        do throws(OutboxError) {
            try commit(OutboxChange(), barrier: true)
            if intake.withState({ $0.waitingCount }) == 0 { try outbox.maintain() }
            file?.ballast.fill()
        } catch {
            dirtySince = nil
            handle(error)
        }
    }

    /// Stores the next group; `false` when there was none or it could not be stored.
    func persistNext() -> Bool {
        renewInstallation()
        var group = retained ?? takeGroup()
        guard !group.isEmpty else { return false }
        adoptLanes()
        var writer = GroupWriter(
            lanes: lanes,
            moment: moment,
            deviceID: deviceID,
            heldBudget: configuration.budget.heldEvents,
            disclosure: Disclosure(salt: configuration.salt)
        )
        writer.write(group, encoder: &encoder)
        makeRoom(in: &writer)
        do throws(OutboxError) {
            try commit(writer.change, barrier: writer.isStrict)
        } catch {
            retained = group
            handle(error)
            return false
        }
        retained = nil
        finish(writer, group)
        group.entries.removeAll(keepingCapacity: true)
        spareBuffer = group.entries
        return true
    }

    private func takeGroup() -> IntakeGroup {
        let spare = spareBuffer
        spareBuffer = []
        return intake.takeGroup(spare: spare)
    }

    /// Stores the new installation's id after a reset.
    private func renewInstallation() {
        let current = intake.withState { $0.identity.identity.deviceID }
        guard current != deviceID, !current.isEmpty else { return }
        deviceID = current
        if let directory = configuration.directory { Installation.write(current, directory: directory) }
    }

    private func finish(_ writer: GroupWriter, _ group: IntakeGroup) {
        lanes = writer.lanes
        var ledgers: [Int: LaneLedger] = [:]
        for index in writer.touched { ledgers[index] = lanes[index].stored.ledger }
        intake.withState { $0.recordStored(group, ledgers: ledgers) }
        for loss in writer.losses {
            recentFates.note(loss.id, lane: lanes[loss.lane].stored.id, .dropped(loss.reason))
        }
        for (lane, reasons) in writer.drops {
            for (reason, count) in reasons {
                diagnostics.send(.dropped(lane: lanes[lane].stored.id, reason: reason, count: count))
            }
        }
        for receipt in writer.receipts { receipt.continuation.resume(returning: receipt.receipt) }
        for index in writer.touched { lanes[index].wake.signal() }
    }
}
