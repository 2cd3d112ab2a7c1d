import CoreTracker
import EventBuffer

/// Suspending and resuming the storage.
extension OutboxKeeper {
    /// Closes the files and releases the directory's lock.
    ///
    /// The directory is not used until the storage is resumed.
    func suspend(lanes: LaneTable) {
        guard directory != nil, !isSuspended else { return }
        if hasFile, suspendedStamps == nil {
            // A commit whose sync failed is still in the write-ahead log, and memory holds it too. It would be restored
            // with the file and exist twice. Another commit overwrites it, even if its own sync also fails.
            if isSuspect { try? outbox.base.commit(OutboxChange(), barrier: true) }
            suspendedStamps = (outbox.base as? SQLiteOutbox)?.stamps ?? []
            outbox.close()
            use(BufferedOutbox(ClosedOutbox(.suspended), buffer: outbox.buffer))
        }
        giveUpDirectory()
        failed(.suspended)
        isSuspended = true
    }

    /// Opens the directory again.
    ///
    /// If that fails, it is retried as after any storage error.
    func resume(lanes: inout LaneTable) {
        guard isSuspended else { return }
        isSuspended = false
        recover(lanes: &lanes)
    }

    /// Opens the file again after a read error or a suspension.
    ///
    /// If another process has used it since, this process waits for the directory and opens it from the start.
    func attach(lanes: inout LaneTable) {
        guard let url = directory else { return }
        do throws(OutboxError) {
            let directory = try hold(url)
            guard try isUnchanged(directory) else { return startOver(lanes: &lanes) }
            let own = try SQLiteOutbox(path: directory.queue)
            if let suspendedStamps, !own.stamps.isSubset(of: suspendedStamps) {
                own.close()
                return startOver(lanes: &lanes)
            }
            use(BufferedOutbox(own, buffer: outbox.buffer))
            suspendedStamps = nil
            for index in lanes.indices {
                lanes[index].usage = try outbox.usage(lane: lanes[index].stored.number)
                lanes[index].refreshHead(from: outbox)
            }
            try makeSafe(lanes)
        } catch {
            handle(error, lanes: &lanes)
        }
    }

    /// Whether the queue file may still be the one that was closed.
    private func isUnchanged(_ directory: OutboxDirectory) throws(OutboxError) -> Bool {
        guard suspendedStamps != nil else { return true }
        return !OutboxDirectory.isMissing(directory.queue)
    }

    /// Drops and counts the events in memory, because the file they belong to is used by another process now.
    private func startOver(lanes: inout LaneTable) {
        for lane in lanes.queues {
            let kept = outbox.takeOutKept(of: lane.stored)
            let events = (kept.inserted + kept.insertedHeld).reduce(0) { $0 + $1.count }
            if events > 0 { lostInMemory[lane.id, default: 0] += events }
        }
        confirm(lanes: Array(lanes.indices), .lost(.bufferFull))
        use(BufferedOutbox(ClosedOutbox(.directoryInUse)))
        (hasFile, suspendedStamps, isSuspect, isWaiting) = (false, nil, false, true)
        wake.signal()
    }
}
