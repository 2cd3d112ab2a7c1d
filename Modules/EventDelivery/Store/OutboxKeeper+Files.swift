import CoreTracker
import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All that a directory holds when it is opened.
struct OpenedDirectory {
    /// The queue file; `nil` if there is none and none can be made.
    var queue: StoredQueue?
    var decisions = ConsentFile.Decisions()
    var erasures: [ErasureFile.Erasure] = []
    /// The stored id of the installation.
    var installation: String?
    /// Why events are kept in memory alone; `nil` if they are stored.
    var failure: OutboxError?
}

/// Opening.
extension OutboxKeeper {
    /// Opens the directory; returns what it holds, or `nil` if this process has to wait for it.
    ///
    /// Events are kept in memory if the directory surely holds none and cannot be used, and if its queue file is not
    /// this library's to change. If it can only not be opened now, nothing is known of what it holds, not even what the
    /// user has denied; so everything waits.
    func openDirectory() -> OpenedDirectory? {
        guard let url = directory else { return OpenedDirectory() }
        guard !isSuspended else { return nil }
        let found: OutboxDirectory
        do throws(OutboxError) {
            found = try OutboxDirectory(url)
        } catch {
            // What is in a directory that is somebody else's is not this library's.
            if case .foreign = error { return inMemory(OpenedDirectory(failure: error)) }
            return wait(for: url, because: error)
        }
        do throws(OutboxError) {
            let opened = try read(try hold(url))
            (isWaiting, failedOpenings) = (false, 0)
            return opened
        } catch .notLockable(let code) {
            // Without a lock two processes would write one file. It stays so for as long as this process lives.
            directory = nil
            diagnostics.send(.storageFailed(.notLockable(code: code)))
            let decisions = try? ConsentFile.decisions(in: found)
            return inMemory(OpenedDirectory(decisions: decisions ?? ConsentFile.Decisions(isComplete: false)))
        } catch {
            return wait(for: url, because: error)
        }
    }

    private func inMemory(_ opened: OpenedDirectory) -> OpenedDirectory {
        isWaiting = false
        return opened
    }

    private func wait(for url: URL, because error: OutboxError) -> OpenedDirectory? {
        if OutboxDirectory.isSurelyEmpty(url), error != .directoryInUse {
            return inMemory(OpenedDirectory(failure: error))
        }
        giveUpDirectory()
        isWaiting = true
        if seen == nil {
            let found = try? OutboxDirectory(url)
            let decisions = found.flatMap { try? ConsentFile.decisions(in: $0) }?.words ?? []
            let erasures = found.flatMap { try? ErasureFile.believed(in: $0) } ?? []
            seen = (
                Dictionary(decisions.map { ($0.purpose, $0.denial) }) { $1 }, erasures.map(\.number).max() ?? 0
            )
        }
        failed(error)
        return nil
    }

    /// The directory, with its lock taken unless this process holds it already.
    func hold(_ url: URL) throws(OutboxError) -> OutboxDirectory {
        if let held, held.lock.isHeld { return held.directory }
        giveUpDirectory()
        let directory = try OutboxDirectory(url)
        let lock = try directory.lock()
        held = (directory, lock)
        runtime.holdsLock?({ lock.release() })
        if (try? directory.hasEarlierLayout()) == true { diagnostics.send(.earlierLayout) }
        return directory
    }

    /// Gives up the lock of the directory.
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
            // A flush may try again before its time, which tells nothing new.
            if failedOpenings == 0 || isAttemptDue { failedOpenings += 1 }
            let isDamaged = error == .corrupt || isUnreadableAtOpening(error)
            guard isDamaged else { throw error }
            return try salvage(directory)
        }
    }

    /// Whether the file has been unreadable for so long that what still is counts as damaged.
    private func isUnreadableAtOpening(_ error: OutboxError) -> Bool {
        guard case .failed = error else { return false }
        return failedOpenings > OutboxKeeper.mostReadFailures
    }

    /// Replaces a damaged queue file by one with its sound events.
    private func salvage(_ directory: OutboxDirectory) throws(OutboxError) -> StoredQueue {
        let contents = try SQLiteSalvage.read(
            path: directory.queue,
            mark: HighWaterMark(queue: directory.queue),
            skipsUnreadable: failedOpenings > OutboxKeeper.mostReadFailures
        )
        try prepareReplacement(in: directory, by: contents, clearance: contents.clearance)
        try directory.completeReplacement()
        diagnostics.send(.salvaged(events: contents.pendingEvents))
        tellLosses(of: contents)
        return try StoredQueue(in: directory)
    }

    /// Writes contents into a file that takes the place of the one that is there, also if the process is killed before
    /// it has.
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
            guard directory.ballast.release() else { throw .full }
            try directory.prepareReplacement { new throws(OutboxError) in try new.commit(change, barrier: true) }
        }
    }

    private func tellLosses(of contents: OutboxContents) {
        for (lane, count) in contents.losses {
            diagnostics.send(.dropped(lane: lane, reason: .corrupted, count: count))
        }
    }

    /// Makes what was opened this engine's own, with the ledgers checked against its counts and its checkpoint.
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
        for index in lanes.indices { lanes[index].forgetStored() }
        for state in queue.lanes {
            let index = lanes.index(of: state.stored.id)
            lanes[index].takeUp(state.stored, usage: state.usage, batches: state.batches)
            lanes[index].refreshHead(from: outbox)
        }
        // Lanes that were tracked on before, and that the file does not know, get the numbers that it has not used.
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
        held?.directory.ballast.fill()
    }

    /// Makes a file after all, with what has been kept in memory meanwhile.
    ///
    /// A file that another process has made since is left to the next start: its contents and those of memory cannot be
    /// told apart.
    func reopen(lanes: inout LaneTable) {
        guard let url = directory else { return }
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.rows, refused: lanes.refused)
            let directory = try hold(url)
            guard replacesFile || directory.hasNoQueue else { throw failure ?? .busy }
            try install(contents, in: directory, lanes: &lanes)
            directory.ballast.fill()
            installation.restore(in: directory.url)
            succeeded()
        } catch {
            failed(error)
        }
    }
}

/// Moving from one file to another.
extension OutboxKeeper {
    /// Puts contents into a new file, every segment to its own place, and goes on with that file.
    ///
    /// - Parameter source: The outbox of the present file, which is deleted once the new file is complete; `nil` if it
    ///   is moved aside, and memory holds the contents until then.
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
                    lanes[index].takeUp(stored, usage: try new.usage(lane: stored.number), batches: batches)
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

    /// Keeps contents in memory that cannot be written now; a later attempt replaces what the directory holds.
    private func keepInMemory(_ contents: OutboxContents, because error: OutboxError) {
        guard hasFile else { return }
        use(BufferedOutbox(AbsentOutbox(error)))
        outbox.keep(contents.change)
        (hasFile, replacesFile) = (false, true)
    }

    /// Starts a new file in the place of one that turned out to be damaged, with what is sound in it; `false` when the
    /// old one cannot be read for now.
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
            diagnostics.send(.salvaged(events: contents.pendingEvents))
            succeeded()
        } catch {
            failed(error)
        }
        return true
    }

    /// Starts a new file in the place of one that cannot be found any more, or whose last changes may not be on the
    /// disk; all of it can still be read through the open connection.
    func replace(lanes: inout LaneTable) {
        guard let url = directory, let source = outbox.base as? SQLiteOutbox else { return }
        isSuspect = true
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.rows, refused: lanes.refused)
            let isOwn = ownsDirectory
            let directory = try hold(url)
            // Another process may have used the directory since its lock was deleted.
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
