import Foundation

/// What an error of the storage calls for; nothing that is stored is ever deleted.
extension DeliveryStore {
    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(60)

    /// Does what an error calls for.
    func handle(_ error: OutboxError) {
        switch error {
        case .corrupt: rebuild()
        case .vanished: replace()
        // After a failed sync nobody knows what has reached the disk, and a second one would not tell.
        case _ where error.isFailedSync: replace()
        default: storageFailed(error)
        }
    }

    /// Notes a failed read; a part of the file that stays unreadable, through longer and longer waits, is damage.
    func handleRead(_ error: OutboxError) {
        // A flush may try again before its time, which tells nothing new.
        if readFailures == 0 || clock.monotonicTime() >= nextStorageAttempt { readFailures += 1 }
        guard error != .corrupt, !isUnreadable else { return rebuild() }
        storageFailed(error, pause: DeliveryStore.pause(afterReadFailures: readFailures))
    }

    /// Whether reads have failed for so long that what still does counts as damaged.
    private var isUnreadable: Bool { readFailures >= LeftFile.mostFailures }

    /// How long to wait after a read has failed again: 2 s, and twice as long each time.
    static func pause(afterReadFailures failures: Int) -> Duration {
        min(firstPause * (1 << min(failures, 16)), longestPause)
    }

    /// Notes that the storage takes nothing for now; from here on everything is kept in memory.
    ///
    /// It is tried again after the pause, or without one after longer and longer pauses.
    func storageFailed(_ error: OutboxError, pause: Duration? = nil) {
        storagePause = pause ?? (storageFailure == nil ? DeliveryStore.firstPause : storagePause * 2)
        storagePause = min(storagePause, DeliveryStore.longestPause)
        nextStorageAttempt = clock.monotonicTime().advanced(by: storagePause)
        if storageFailure != error { diagnostics.send(.storageFailed(error)) }
        storageFailure = error
        // The writer has to set its alarm.
        intake.wake.signal()
    }

    /// Notes that everything is stored that was kept in memory.
    func storageSucceeded() {
        guard storageFailure != nil else { return }
        storageFailure = nil
        diagnostics.send(.storageRecovered)
        confirm(Array(unconfirmed.keys), .persisted)
        for lane in lanes { lane.wake.signal() }
    }

    /// Tries whether the storage can be used again.
    func recover() {
        guard let failure = storageFailure, !isStopped else { return }
        if file == nil { return reopen() }
        if failure == .corrupt { return rebuild() }
        if outbox.base is ClosedOutbox { return attach() }
        if isSuspect || !outbox.isPresent { return replace() }
        do throws(OutboxError) {
            try commit(OutboxChange(), barrier: true)
        } catch {
            handle(error)
        }
    }

    /// Answers the receipts that wait for some events.
    func confirm(_ ids: [EventID], _ outcome: Receipt.Outcome) {
        guard !unconfirmed.isEmpty else { return }
        for id in ids {
            unconfirmed.removeValue(forKey: id)?.continuation.resume(returning: Receipt(id: id, outcome: outcome))
        }
    }

    /// Starts a new file in the place of one that turned out to be damaged, with what is sound in it.
    private func rebuild() {
        guard let old = file else { return }
        let now = clock.monotonicTime()
        if let lastRebuild, lastRebuild.duration(to: now) < DeliveryStore.firstPause { return storageFailed(.corrupt) }
        lastRebuild = now
        let buffer = outbox.buffer
        outbox.close()
        let sound = InMemoryOutbox()
        do throws(OutboxError) {
            let contents = try SQLiteSalvage.read(
                path: old.path,
                mark: nil,
                lanes: lanes.map(\.stored),
                skipsUnreadable: isUnreadable
            )
            sound.commit(contents.change, barrier: false)
        } catch {
            outbox = BufferedOutbox(ClosedOutbox(error), buffer: buffer)
            return storageFailed(error)
        }
        readFailures = 0
        outbox = BufferedOutbox(sound, buffer: buffer)
        moveSalvaged(from: old)
    }

    private func moveSalvaged(from old: OutboxFile) {
        superseded.insert(OutboxDirectory.name(of: old.path))
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.map(\.stored))
            do throws(OutboxError) {
                try install(contents, in: OutboxDirectory(old.directory.url), adopting: superseded.sorted())
            } catch {
                // With nowhere to write to, memory keeps it all; the damaged file stays where it is.
                outbox = BufferedOutbox(AbsentOutbox(error))
                outbox.keep(contents.change)
                file = nil
                throw error
            }
            _ = try? old.directory.setAside(old.path)
            superseded = []
            diagnostics.send(.salvaged(events: contents.pendingEvents))
            storageSucceeded()
        } catch {
            storageFailed(error)
        }
    }

    /// Opens the file again that could not be read for a while.
    private func attach() {
        guard let file else { return }
        do throws(OutboxError) {
            outbox = BufferedOutbox(try SQLiteOutbox(path: file.path), buffer: outbox.buffer)
            try commit(OutboxChange(), barrier: true)
        } catch {
            handle(error)
        }
    }

    /// Starts a new file in the place of one that cannot be found any more, or whose last changes may not be on the
    /// disk; all of it can still be read through the open connection.
    private func replace() {
        guard let old = file, let source = outbox.base as? SQLiteOutbox else { return }
        isSuspect = true
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.map(\.stored))
            let directory = try OutboxDirectory(old.directory.url)
            try install(contents, in: directory, adopting: [OutboxDirectory.name(of: old.path)])
            source.discard()
            isSuspect = false
            if !OutboxDirectory.isRegularFile(Installation.path(in: directory.url)) {
                Installation.write(deviceID, directory: directory.url)
            }
            storageSucceeded()
        } catch .corrupt {
            rebuild()
        } catch {
            storageFailed(error)
        }
    }
}
