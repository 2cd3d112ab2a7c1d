import CoreTracker
import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The contents of a directory when it is opened.
struct OpenedDirectory {
    /// The queue file, or `nil` if there is none and none can be created.
    var queue: StoredQueue?
    var decisions = ConsentFile.Decisions()
    var erasures: [Erasure] = []
    /// The stored installation ID.
    var installation: String?
    /// The error because of which events are kept in memory only, or `nil`.
    var failure: OutboxError?
}

/// Opening the directory.
extension OutboxKeeper {
    /// Opens the directory.
    ///
    /// Events are kept in memory if the directory certainly contains none and cannot be used, or if its queue file
    /// belongs to a newer version or another program. If the directory only cannot be opened now, its contents and the
    /// stored consent decisions are unknown. The engine then waits.
    ///
    /// - Returns: The directory's contents, or `nil` if this process must wait.
    func openDirectory() -> OpenedDirectory? {
        guard let url = directory else { return OpenedDirectory() }
        guard !isSuspended else { return nil }
        let found: OutboxDirectory
        do throws(OutboxError) {
            found = try OutboxDirectory(url)
        } catch {
            // A directory of another user does not contain this app's events.
            if case .foreign = error { return inMemory(OpenedDirectory(failure: error)) }
            return wait(for: url, nil, because: error)
        }
        do throws(OutboxError) {
            let opened = try read(try hold(found))
            (isWaiting, failedOpenings) = (false, 0)
            return opened
        } catch .notLockable(let code) {
            // Without a lock, two processes could write the same file. This does not change while the process runs.
            directory = nil
            diagnostics.send(.storageFailed(.notLockable(code: code)))
            let decisions = try? ConsentFile.decisions(in: found)
            return inMemory(OpenedDirectory(decisions: decisions ?? ConsentFile.Decisions(isComplete: false)))
        } catch {
            return wait(for: url, found, because: error)
        }
    }

    private func inMemory(_ opened: OpenedDirectory) -> OpenedDirectory {
        isWaiting = false
        return opened
    }

    private func wait(for url: URL, _ found: OutboxDirectory?, because error: OutboxError) -> OpenedDirectory? {
        if OutboxDirectory.isSurelyEmpty(url), error != .directoryInUse {
            return inMemory(OpenedDirectory(failure: error))
        }
        giveUpDirectory()
        isWaiting = true
        if seen == nil {
            let decisions = found.flatMap { try? ConsentFile.decisions(in: $0) }?.words ?? []
            let erasures = found.flatMap { try? ErasureFile.believed(in: $0) } ?? []
            seen = (
                Dictionary(decisions.map { ($0.purpose, $0.denial) }) { $1 }, erasures.map(\.number).max() ?? 0
            )
        }
        failed(error)
        return nil
    }

    /// Locks the directory, unless this process holds the lock already.
    ///
    /// - Parameter url: The directory.
    /// - Returns: The locked directory.
    /// - Throws: The error if the directory or its lock cannot be opened.
    func hold(_ url: URL) throws(OutboxError) -> OutboxDirectory {
        if let held, held.lock.isHeld { return held.directory }
        return try hold(OutboxDirectory(url))
    }

    private func hold(_ directory: OutboxDirectory) throws(OutboxError) -> OutboxDirectory {
        if let held, held.lock.isHeld { return held.directory }
        giveUpDirectory()
        let lock = try directory.lock()
        held = (directory, lock)
        runtime.holdsLock?({ lock.release() })
        if (try? directory.hasEarlierLayout()) == true { diagnostics.send(.earlierLayout) }
        return directory
    }

    /// Releases the lock of the directory, if it is held.
    func giveUpDirectory() {
        held?.lock.release()
        held = nil
    }

    private func read(_ directory: OutboxDirectory) throws(OutboxError) -> OpenedDirectory {
        try directory.completeReplacement()
        var opened = OpenedDirectory()
        opened.decisions = try ConsentFile.decisions(in: directory)
        opened.erasures = try ErasureFile.believed(in: directory)
        opened.installation = try Installation.stored(in: directory.url)
        try? ConsentFile.make(in: directory)
        do throws(OutboxError) {
            opened.queue = try openQueue(in: directory)
        } catch {
            switch error {
            case .newerVersion, .foreign: opened.failure = error
            case _ where OutboxDirectory.isMissing(directory.queue): opened.failure = error
            default: throw error
            }
        }
        return opened
    }

    private func openQueue(in directory: OutboxDirectory) throws(OutboxError) -> StoredQueue {
        do throws(OutboxError) {
            if OutboxDirectory.isMissing(directory.queue) {
                try directory.moveStraysAside()
                try directory.makeOutbox().close()
            }
            return try StoredQueue(in: directory)
        } catch {
            if error == .busy { throw .directoryInUse }
            // A flush may try earlier. Such an attempt does not count.
            if failedOpenings == 0 || isAttemptDue { failedOpenings += 1 }
            let isDamaged = error == .corrupt || isUnreadableAtOpening(error)
            guard isDamaged else { throw error }
            return try salvage(directory)
        }
    }

    /// Whether opening has failed so often that unreadable parts count as damaged.
    private func isUnreadableAtOpening(_ error: OutboxError) -> Bool {
        guard case .failed = error else { return false }
        return failedOpenings > OutboxKeeper.maximumReadFailures
    }

    /// Replaces a damaged queue file by a file with its valid events.
    private func salvage(_ directory: OutboxDirectory) throws(OutboxError) -> StoredQueue {
        let contents = try SQLiteSalvage.read(
            path: directory.queue,
            mark: DurabilityCheckpoint(queue: directory.queue),
            skipsUnreadable: failedOpenings > OutboxKeeper.maximumReadFailures
        )
        try prepareReplacement(in: directory, by: contents, clearance: contents.clearance)
        try directory.completeReplacement()
        diagnostics.send(.recovered(events: contents.pendingEvents))
        tellLosses(of: contents)
        return try StoredQueue(in: directory)
    }

    /// Writes contents into a new file that will replace the queue file.
    ///
    /// If the process is killed before the replacement, the next start completes it.
    private func prepareReplacement(
        in directory: OutboxDirectory,
        by contents: OutboxContents,
        clearance: Clearance?
    ) throws(OutboxError) {
        var change = contents.change
        change.clearance = clearance
        do throws(OutboxError) {
            try directory.prepareReplacement { new throws(OutboxError) in try new.commit(change, barrier: true) }
        } catch .full {
            guard directory.reserve.release() else { throw .full }
            try directory.prepareReplacement { new throws(OutboxError) in try new.commit(change, barrier: true) }
        }
    }

    private func tellLosses(of contents: OutboxContents) {
        for (lane, count) in contents.losses {
            diagnostics.send(.dropped(lane: lane, reason: .corrupted, count: count))
        }
    }

    /// Uses the opened file, and corrects the lanes' ledgers by the file's counts and its durability checkpoint.
    func takeUp(_ opened: OpenedDirectory, lanes: inout LaneTable) {
        guard let queue = opened.queue else {
            clearance = Clearance(erasure: opened.erasures.map(\.number).max() ?? 0, denials: denials)
            guard let failure = opened.failure else { return }
            use(BufferedOutbox(AbsentOutbox(failure)))
            return failed(failure)
        }
        use(BufferedOutbox(queue.outbox))
        (hasFile, clearance) = (true, queue.clearance)
        succeeded()
        let isNew = queue.lanes.isEmpty && clearance == nil
        for index in lanes.indices { lanes[index].resetStored() }
        for state in queue.lanes {
            let index = lanes.index(of: state.stored.id)
            lanes[index].restore(state.stored, usage: state.usage, batches: state.batches)
            lanes[index].refreshHead(from: outbox)
        }
        // Lanes that are not in the file get numbers that the file has not used.
        var number = queue.lanes.map(\.stored.number).max() ?? 0
        for index in lanes.indices where !queue.knows(lanes[index].stored) {
            number += 1
            lanes[index].stored.number = number
        }
        var change = LaneChange()
        for index in lanes.indices {
            lanes[index].correctLedger(quarantined: queue.quarantined[lanes[index].id] ?? 0, change: &change)
            lanes[index].opening = lanes[index].stored.ledger
        }
        for (id, count) in lostInMemory {
            let index = lanes.index(of: id)
            lanes[index].stored.ledger.accepted += count
            lanes[index].stored.ledger.drop(count, .bufferFull)
            change.outbox.note(lanes[index].stored)
            change.diagnostics.append(.dropped(lane: id, reason: .bufferFull, count: count))
        }
        lostInMemory = [:]
        if isNew {
            clearance = Clearance(erasure: opened.erasures.map(\.number).max() ?? 0, denials: denials)
            change.outbox.clearance = clearance
        }
        record(change.outbox, lanes: &lanes)
        for diagnostic in change.diagnostics { diagnostics.send(diagnostic) }
        held?.directory.reserve.fill()
    }

    /// Creates the queue file after an earlier failure, and writes the contents of memory into it.
    ///
    /// If another process has created a file since, this file is left unchanged. The contents of the file and of memory
    /// could not be told apart.
    func reopen(lanes: inout LaneTable) {
        guard let url = directory else { return }
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.rows, refused: lanes.refused)
            let directory = try hold(url)
            guard replacesFile || directory.hasNoQueue else { throw failure ?? .busy }
            try install(contents, in: directory, lanes: &lanes)
            directory.reserve.fill()
            installation.restore(in: directory.url)
            succeeded()
        } catch {
            failed(error)
        }
    }
}

/// Replacing the queue file.
extension OutboxKeeper {
    /// Writes contents into a new file, with every segment at its place, and uses that file from now on.
    ///
    /// - Parameters:
    ///   - contents: The contents of the new file.
    ///   - directory: The locked directory.
    ///   - source: The outbox of the current file, which is deleted once the new file is complete. It is `nil` if the
    ///     file is moved aside. Memory then holds the contents until the new file is complete.
    ///   - lanes: The lane table, which is updated from the new file.
    /// - Throws: The storage error. The current file is still in use if `source` could not be copied. Otherwise memory
    ///   holds the contents.
    private func install(
        _ contents: OutboxContents,
        in directory: OutboxDirectory,
        discarding source: SQLiteOutbox? = nil,
        lanes: inout LaneTable
    ) throws(OutboxError) {
        do throws(OutboxError) {
            try prepareReplacement(in: directory, by: contents, clearance: clearance)
        } catch {
            if source == nil { keepInMemory(contents, because: error) }
            throw error
        }
        source?.discard()
        do throws(OutboxError) {
            try directory.completeReplacement()
            let new = try SQLiteOutbox(path: directory.queue)
            do throws(OutboxError) {
                for stored in contents.lanes {
                    let index = lanes.index(of: stored.id)
                    let batches = contents.batches.filter { $0.lane == stored.number }
                    lanes[index].restore(stored, usage: try new.usage(lane: stored.number), batches: batches)
                    lanes[index].refreshHead(from: new)
                }
            } catch {
                new.close()
                throw error
            }
            use(BufferedOutbox(new))
        } catch {
            keepInMemory(contents, because: error)
            throw error
        }
        (hasFile, replacesFile) = (true, false)
        mark(lanes.rows)
        lanes.publish(lanes.indices)
        tellLosses(of: contents)
    }

    /// Keeps contents in memory that cannot be written now.
    ///
    /// A later attempt replaces the queue file.
    private func keepInMemory(_ contents: OutboxContents, because error: OutboxError) {
        guard hasFile else { return }
        use(BufferedOutbox(AbsentOutbox(error)))
        outbox.keep(contents.change)
        (hasFile, replacesFile) = (false, true)
    }

    /// Replaces a damaged file by a new one with its valid events.
    ///
    /// - Parameter lanes: The lane table, which is updated from the new file.
    /// - Returns: `false` if the damaged file cannot be read now.
    func rebuild(lanes: inout LaneTable) -> Bool {
        guard hasFile, let held else { return false }
        let buffer = outbox.buffer
        outbox.close()
        let sound = InMemoryOutbox()
        do throws(OutboxError) {
            let contents = try SQLiteSalvage.read(
                path: held.directory.queue,
                mark: nil,
                lanes: lanes.rows,
                skipsUnreadable: isUnreadable
            )
            sound.commit(contents.change, barrier: false)
        } catch {
            use(BufferedOutbox(ClosedOutbox(error), buffer: buffer))
            failed(error)
            return false
        }
        use(BufferedOutbox(sound, buffer: buffer))
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.rows, refused: lanes.refused)
            try install(contents, in: held.directory, lanes: &lanes)
            diagnostics.send(.recovered(events: contents.pendingEvents))
            succeeded()
        } catch {
            failed(error)
        }
        return true
    }

    /// Replaces a file that was deleted, or whose last changes may be missing on disk, by a new one.
    ///
    /// Its contents can still be read through the open connection.
    func replace(lanes: inout LaneTable) {
        guard let url = directory, let source = outbox.base as? SQLiteOutbox else { return }
        isSuspect = true
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.rows, refused: lanes.refused)
            let isOwn = ownsDirectory
            let directory = try hold(url)
            // Another process may have used the directory since the lock file was deleted.
            guard isOwn || OutboxDirectory.isMissing(directory.queue) || outbox.isPresent else { throw .directoryInUse }
            try install(contents, in: directory, discarding: source, lanes: &lanes)
            isSuspect = false
            installation.restore(in: directory.url)
            succeeded()
        } catch .corrupt {
            _ = rebuild(lanes: &lanes)
        } catch {
            failed(error)
        }
    }
}
