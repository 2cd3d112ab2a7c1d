import CoreTracker
import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Opening, and what earlier processes have left.
extension OutboxKeeper {
    /// The most files of ended processes whose locks are held at once.
    private static let mostFiles = 64

    /// The directory of the queues; `nil` while it cannot be opened.
    var outboxDirectory: OutboxDirectory? {
        file?.directory ?? found ?? directory.flatMap { try? OutboxDirectory($0) }
    }

    /// Looks for the directory once, for all that is read there until the outbox is open.
    func findDirectory() {
        found = outboxDirectory
    }

    /// Opens the outbox: local, and always with a result, in memory where the device does not let us write.
    func open(lanes: inout LaneTable) {
        // Later uses look again, because the directory may have been deleted.
        defer { found = nil }
        guard let directory else { return }
        do throws(OutboxError) {
            let directory = if let found { found } else { try OutboxDirectory(directory) }
            try scan(directory)
            if !orphans.isEmpty {
                takeUp(orphans.removeFirst(), lanes: &lanes)
            } else {
                try install(OutboxContents(), in: directory, adopting: [], lanes: &lanes)
            }
            file?.ballast.fill()
        } catch {
            use(BufferedOutbox(AbsentOutbox(error)))
            failed(error)
        }
    }

    /// Makes a file after all, with what has been kept in memory meanwhile.
    ///
    /// It is always a new one: of an attempt that fails nobody knows what has reached the disk, and in a file with
    /// events of its own the next attempt would add the same ones again. What earlier processes have left is adopted
    /// afterwards, as always.
    func reopen(lanes: inout LaneTable) {
        guard let directory else { return }
        let (memory, before) = (outbox, lanes)
        do throws(OutboxError) {
            let contents = try OutboxContents(of: memory, lanes: lanes.rows, refused: lanes.refused)
            let directory = try OutboxDirectory(directory)
            try scan(directory)
            try install(contents, in: directory, adopting: superseded.sorted(), lanes: &lanes)
            file?.ballast.fill()
            superseded = []
            succeeded()
        } catch {
            closeOrphans()
            use(memory)
            (lanes.queues, file, leftFiles) = (before.queues, nil, [])
            lanes.adopt()
            failed(error)
        }
    }

    /// Takes the owner locks of files that nobody owns, and notes which are damaged.
    private func scan(_ directory: OutboxDirectory) throws(OutboxError) {
        closeOrphans()
        (leftFiles, adopted, outOfReach) = ([], [], [:])
        unopened = try QueueScan(directory)
        try openMore(in: directory)
    }

    /// Takes over the files of all processes that have ended, including those that were still running at the opening;
    /// returns why these could not be looked for.
    func adoptAll(lanes: inout LaneTable) -> OutboxError? {
        while adoptNext(lanes: &lanes) {}
        // While a file that is already known cannot be taken over, no others are looked for; and while this process's
        // own cannot be opened again, it would count as one of them.
        guard !isSuspended, !isDetached else { return failure }
        guard orphans.isEmpty, leftFiles.isEmpty, let directory = file?.directory else { return nil }
        do throws(OutboxError) {
            unopened = try QueueScan(directory)
            outOfReach = outOfReach.filter { !OutboxDirectory.isMissing($0.key) }
            try openMore(in: directory)
            while adoptNext(lanes: &lanes) {}
            // Whoever asks for this is about to delete, and what was set aside on the way keeps events of everybody.
            try directory.removeSetAside()
            nextSearch = nil
        } catch {
            nextSearch = clock.monotonicTime().advanced(by: OutboxKeeper.longestPause)
            return error
        }
        return nil
    }

    /// Opens files of ended processes, a few at a time; the rest comes when these have been taken over.
    private func openMore(in directory: OutboxDirectory) throws(OutboxError) {
        while orphans.count < OutboxKeeper.mostFiles, let found = unopened?.next() {
            switch found {
            case .orphan(let orphan):
                outOfReach[orphan.file.path] = nil
                orphans.append(orphan)
            case .newer(let path, let version):
                guard outOfReach.updateValue(.newerVersion(version), forKey: path) == nil else { break }
                diagnostics.send(.setAside(.newerVersion(version)))
            case .failed(let path, _) where outOfReach[path] != nil: break
            case .failed(let path, let error): leave(LeftFile(path: path, cause: error), because: error)
            case .owned(let path): outOfReach[path] = nil
            // A link, a pipe or a directory is no file of events.
            case .foreign(let path, .kind): outOfReach[path] = nil
            case .foreign(let path, let trait):
                guard outOfReach.updateValue(.foreign(trait), forKey: path) == nil else { break }
                diagnostics.send(.adoptionFailed(.foreign(trait)))
            }
        }
        // What was brought into another file and not deleted any more is deleted now, while its lock is held.
        adopted = orphans.reduce(into: adopted.union(superseded)) { $0.formUnion($1.adoptions) }
        for orphan in orphans where adopted.contains(orphan.name) { orphan.outbox.discard() }
        orphans.removeAll { adopted.contains($0.name) }
        for left in leftFiles where adopted.contains(OutboxDirectory.name(of: left.path)) {
            _ = try directory.setAside(left.path)
        }
        leftFiles.removeAll { adopted.contains(OutboxDirectory.name(of: $0.path)) }
    }

    /// Gives back the locks of files that are left to another start.
    func closeOrphans() {
        for orphan in orphans { orphan.outbox.close() }
        orphans = []
    }

    /// Makes an outbox this engine's own, with its ledgers checked against its own counts and its mark.
    private func takeUp(_ own: Orphan, lanes: inout LaneTable) {
        use(BufferedOutbox(own.outbox))
        (file, clearance, holdsEarlier) = (own.file, own.clearance, true)
        for index in lanes.indices { lanes[index].forgetStored() }
        for state in own.lanes {
            let index = lanes.index(of: state.stored.id)
            lanes[index].takeUp(state.stored, usage: state.usage, batches: state.batches)
            lanes[index].opening.add(state.stored.ledger)
            lanes[index].refreshHead(from: outbox)
        }
        // Lanes that were tracked on before, and that the file does not know, get the numbers that it has not used.
        var number = own.lanes.map(\.stored.number).max() ?? 0
        for index in lanes.indices where !own.knows(lanes[index].stored) {
            number += 1
            lanes[index].stored.number = number
        }
        var change = LaneChange()
        for index in lanes.indices {
            let known = lanes[index].stored.ledger.accepted
            lanes[index].correctLedger(quarantined: own.quarantined[lanes[index].id] ?? 0, change: &change)
            // Events that its ledger did not know were accepted by an earlier run, too.
            lanes[index].opening.accepted += lanes[index].stored.ledger.accepted - known
        }
        record(change.outbox, lanes: &lanes)
        for diagnostic in change.diagnostics { diagnostics.send(diagnostic) }
    }

    /// Takes over one file that an ended process has left; `false` when there is none.
    func adoptNext(lanes: inout LaneTable) -> Bool {
        guard failure == nil, let directory = file?.directory else { return false }
        // What cannot be moved aside now is looked at again with the next files.
        if orphans.isEmpty, hasUnopened { try? openMore(in: directory) }
        // What was said last may be a grant, which is noted nowhere else.
        guard !hasNewWords(directory) else {
            waitForWords()
            return false
        }
        if let next = orphans.firstIndex(where: { !isAhead($0.clearance, of: lanes) }) {
            adopt(orphans.remove(at: next), lanes: &lanes)
            return true
        }
        let now = clock.monotonicTime()
        guard let due = leftFiles.firstIndex(where: { $0.notBefore <= now }) else { return false }
        retry(leftFiles.remove(at: due), lanes: &lanes)
        return true
    }

    /// Has files looked at again in a minute, where nothing makes this process learn the last words before.
    private func waitForWords() {
        let now = clock.monotonicTime()
        let next = now.advanced(by: OutboxKeeper.longestPause)
        if hasLeft, nextSearch == nil { nextSearch = next }
        for index in leftFiles.indices where leftFiles[index].notBefore <= now { leftFiles[index].notBefore = next }
    }

    /// Brings an ended process's events into this outbox in one transaction, then deletes its file.
    private func adopt(_ orphan: Orphan, lanes: inout LaneTable) {
        var contents: OutboxContents
        let erased: [LaneID: Erased]
        do throws(OutboxError) {
            contents = try OutboxContents(of: orphan.outbox, lanes: orphan.lanes.map(\.stored))
            contents.clearance = orphan.clearance
            erased = try eraseMissed(from: &contents)
        } catch {
            orphan.outbox.close()
            return leave(LeftFile(path: orphan.file.path, cause: error), because: error)
        }
        do throws(OutboxError) {
            try absorb(contents, without: erased, from: [orphan.name], lanes: &lanes)
            orphan.outbox.discard()
            diagnostics.send(.adopted(events: contents.pendingEvents))
        } catch {
            // It is this engine's own file that does not take it for now.
            orphans.insert(orphan, at: 0)
            handle(error, lanes: &lanes)
        }
    }

    /// Tries again to take over a file that was left.
    private func retry(_ left: LeftFile, lanes: inout LaneTable) {
        guard let directory = file?.directory else { return }
        guard !left.isDamaged else { return salvage(left, directory, lanes: &lanes) }
        do throws(OutboxError) {
            orphans.append(try Orphan(path: left.path, directory: directory))
        } catch {
            leave(left, because: error)
        }
    }

    /// Brings a damaged file's sound events into this outbox, then sets it aside.
    private func salvage(_ left: LeftFile, _ directory: OutboxDirectory, lanes: inout LaneTable) {
        var contents: OutboxContents
        let erased: [LaneID: Erased]
        do throws(OutboxError) {
            let mark = HighWaterMark(queue: left.path)
            contents = try SQLiteSalvage.read(path: left.path, mark: mark, skipsUnreadable: left.isUnreadable)
            guard !isAhead(contents.clearance, of: lanes) else {
                leftFiles.append(left)
                return waitForWords()
            }
            erased = try eraseMissed(from: &contents)
        } catch {
            return leave(left, because: error)
        }
        do throws(OutboxError) {
            try absorb(contents, without: erased, from: [OutboxDirectory.name(of: left.path)], lanes: &lanes)
            diagnostics.send(.salvaged(events: contents.pendingEvents))
        } catch {
            leftFiles.append(left)
            return handle(error, lanes: &lanes)
        }
        // Where it cannot be moved, the note of its name keeps it from being read again.
        _ = try? directory.setAside(left.path)
        // Nobody can tell whose events are in the damaged parts.
        if lanes.queues.contains(where: { $0.consent.consent == .denied }) { try? directory.removeSetAside() }
    }

    /// Notes that a file could not be taken over: damage is salvaged, what cannot be read is tried again after longer
    /// and longer waits, and in the end left as it is for the next process that opens the directory.
    private func leave(_ left: LeftFile, because error: OutboxError) {
        var left = left
        switch error {
        case .busy: return
        case .newerVersion: return outOfReach[left.path] = error
        case .corrupt: left.cause = .corrupt
        default:
            diagnostics.send(.adoptionFailed(error))
            guard !left.isUnreadable else { return outOfReach[left.path] = error }
            left.failures += 1
            left.notBefore = clock.monotonicTime().advanced(by: OutboxKeeper.pause(afterReadFailures: left.failures))
        }
        leftFiles.append(left)
    }
}

/// Moving from one file to another.
extension OutboxKeeper {
    /// Adds an earlier run's contents to this outbox, in one transaction with a note of its name; what has been erased
    /// from them counts as that.
    private func absorb(
        _ contents: OutboxContents,
        without erased: [LaneID: Erased],
        from names: [String],
        lanes: inout LaneTable
    ) throws(OutboxError) {
        let consents = contents.lanes.map { consent(for: $0, clearedAs: contents.clearance, in: &lanes) }
        var absorption = Absorption(lanes: lanes.queues)
        for (stored, consent) in zip(contents.lanes, consents) {
            absorption.add(stored, of: contents, under: consent, erased: erased[stored.id] ?? Erased())
        }
        absorption.change.adopted = names
        try commit(absorption.change, barrier: true)
        lanes.queues = absorption.lanes
        finishMove(of: contents, lanes: lanes)
        tell(erased)
    }

    /// Puts contents into a new file, every pack to its own place, and makes it this engine's own.
    private func install(
        _ contents: OutboxContents,
        in directory: OutboxDirectory,
        adopting names: [String],
        lanes: inout LaneTable
    ) throws(OutboxError) {
        let new = try directory.makeOutbox(id: newID().description)
        var usages: [Int: LaneUsage] = [:]
        do throws(OutboxError) {
            var change = contents.change
            change.adopted = names
            change.clearance = clearance
            try new.commit(change, barrier: true)
            for stored in contents.lanes { usages[stored.number] = try new.usage(lane: stored.number) }
        } catch {
            new.discard()
            throw error
        }
        use(BufferedOutbox(new))
        file = OutboxFile(directory: directory, path: new.path)
        for stored in contents.lanes {
            let index = lanes.index(of: stored.id)
            let batches = contents.batches.filter { $0.lane == stored.number }
            lanes[index].takeUp(stored, usage: usages[stored.number] ?? LaneUsage(), batches: batches)
            lanes[index].refreshHead(from: outbox)
        }
        finishMove(of: contents, lanes: lanes)
    }

    private func finishMove(of contents: OutboxContents, lanes: LaneTable) {
        mark(lanes.rows)
        lanes.publish(lanes.indices)
        for (lane, count) in contents.losses {
            diagnostics.send(.dropped(lane: lane, reason: .corrupted, count: count))
        }
    }

    /// Starts a new file in the place of one that turned out to be damaged, with what is sound in it; `false` when the
    /// old one cannot be read for now.
    func rebuild(lanes: inout LaneTable) -> Bool {
        guard let old = file else { return false }
        let buffer = outbox.buffer
        outbox.close()
        let sound = InMemoryOutbox()
        do throws(OutboxError) {
            let contents = try SQLiteSalvage.read(
                path: old.path,
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
        moveSalvaged(from: old, lanes: &lanes)
        return true
    }

    private func moveSalvaged(from old: OutboxFile, lanes: inout LaneTable) {
        superseded.insert(OutboxDirectory.name(of: old.path))
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.rows, refused: lanes.refused)
            do throws(OutboxError) {
                let directory = try OutboxDirectory(old.directory.url)
                try install(contents, in: directory, adopting: superseded.sorted(), lanes: &lanes)
            } catch {
                // With nowhere to write to, memory keeps it all; the damaged file stays where it is.
                use(BufferedOutbox(AbsentOutbox(error)))
                outbox.keep(contents.change)
                file = nil
                throw error
            }
            _ = try? old.directory.setAside(old.path)
            superseded = []
            diagnostics.send(.salvaged(events: contents.pendingEvents))
            succeeded()
        } catch {
            failed(error)
        }
    }

    /// Starts a new file in the place of one that cannot be found any more, or whose last changes may not be on the
    /// disk; all of it can still be read through the open connection.
    func replace(lanes: inout LaneTable) {
        guard let old = file, let source = outbox.base as? SQLiteOutbox else { return }
        isSuspect = true
        do throws(OutboxError) {
            let contents = try OutboxContents(of: outbox, lanes: lanes.rows, refused: lanes.refused)
            let directory = try OutboxDirectory(old.directory.url)
            try install(contents, in: directory, adopting: [OutboxDirectory.name(of: old.path)], lanes: &lanes)
            source.discard()
            isSuspect = false
            installation.restore(in: installationDirectory)
            succeeded()
        } catch .corrupt {
            _ = rebuild(lanes: &lanes)
        } catch {
            failed(error)
        }
    }
}
