import Foundation

/// How the contents of other outboxes come into this engine's own.
extension DeliveryStore {
    /// Takes over one file that an ended process has left; `false` when there is none.
    func adoptNext() -> Bool {
        guard storageFailure == nil, file != nil else { return false }
        if let orphan = orphans.first {
            orphans.removeFirst()
            adopt(orphan)
            return true
        }
        let now = clock.monotonicTime()
        guard let due = leftFiles.firstIndex(where: { $0.notBefore <= now }) else { return false }
        retry(leftFiles.remove(at: due))
        return true
    }

    /// Brings an ended process's events into this outbox in one transaction, then deletes its file.
    private func adopt(_ orphan: Orphan) {
        let contents: OutboxContents
        do throws(OutboxError) {
            contents = try OutboxContents(of: orphan.outbox, lanes: orphan.lanes.map(\.stored))
        } catch {
            orphan.outbox.close()
            return leave(LeftFile(path: orphan.file.path, cause: error), because: error)
        }
        do throws(OutboxError) {
            try absorb(contents, from: [orphan.name], isEarlier: true)
            orphan.outbox.discard()
            diagnostics.send(.adopted(events: contents.pendingEvents))
        } catch {
            // It is this engine's own file that does not take it for now.
            orphans.insert(orphan, at: 0)
            handle(error)
        }
    }

    /// Tries again to take over a file that was left.
    private func retry(_ left: LeftFile) {
        guard let directory = file?.directory else { return }
        guard !left.isDamaged else { return salvage(left, directory) }
        do throws(OutboxError) {
            orphans.append(try Orphan(path: left.path, directory: directory))
        } catch {
            leave(left, because: error)
        }
    }

    /// Brings a damaged file's sound events into this outbox, then sets it aside.
    private func salvage(_ left: LeftFile, _ directory: OutboxDirectory) {
        let contents: OutboxContents
        do throws(OutboxError) {
            let mark = HighWaterMark(queue: left.path)
            contents = try SQLiteSalvage.read(path: left.path, mark: mark, skipsUnreadable: left.isUnreadable)
        } catch {
            return leave(left, because: error)
        }
        do throws(OutboxError) {
            try absorb(contents, from: [OutboxDirectory.name(of: left.path)], isEarlier: true)
            diagnostics.send(.salvaged(events: contents.pendingEvents))
        } catch {
            leftFiles.append(left)
            return handle(error)
        }
        // Where it cannot be moved, the note of its name keeps it from being read again.
        _ = try? directory.setAside(left.path)
        // Nobody can tell whose events are in the damaged parts.
        if lanes.contains(where: { $0.consent == .denied }) { try? directory.removeSetAside() }
    }

    /// Notes that a file could not be taken over: damage is salvaged, what cannot be read is tried again after longer
    /// and longer waits, and in the end left as it is for the next process that opens the directory.
    func leave(_ left: LeftFile, because error: OutboxError) {
        var left = left
        switch error {
        case .busy, .newerVersion: return
        case .corrupt: left.cause = .corrupt
        default:
            diagnostics.send(.adoptionFailed(error))
            guard !left.isUnreadable else { return }
            left.failures += 1
            left.notBefore = clock.monotonicTime().advanced(by: DeliveryStore.pause(afterReadFailures: left.failures))
        }
        leftFiles.append(left)
    }

    /// Adds another outbox's contents to this one, in one transaction with a note of its name.
    ///
    /// What an earlier run has left counts as carried over.
    func absorb(_ contents: OutboxContents, from names: [String], isEarlier: Bool) throws(OutboxError) {
        for stored in contents.lanes { _ = index(of: stored.id) }
        var absorption = Absorption(lanes: lanes)
        for stored in contents.lanes { absorption.add(stored, of: contents, isEarlier: isEarlier) }
        absorption.change.adopted = names
        try commit(absorption.change, barrier: true)
        lanes = absorption.lanes
        finishMove(of: contents)
    }

    /// Puts contents into a new file, every pack to its own place, and makes it this engine's own.
    func install(
        _ contents: OutboxContents,
        in directory: OutboxDirectory,
        adopting names: [String]
    ) throws(OutboxError) {
        let path = try directory.makeQueue(id: batchIDs.next(at: clock.wallTime()).description)
        let new = try SQLiteOutbox(path: path)
        do throws(OutboxError) {
            var change = contents.change
            change.adopted = names
            try new.commit(change, barrier: true)
            for stored in contents.lanes { lanes[index(of: stored.id)].usage = try new.usage(lane: stored.number) }
        } catch {
            new.discard()
            throw error
        }
        outbox = BufferedOutbox(new)
        file = OutboxFile(directory: directory, path: path)
        for stored in contents.lanes {
            let index = index(of: stored.id)
            lanes[index].stored = stored
            lanes[index].batches = contents.batches.filter { $0.lane == stored.number }
            if !lanes[index].batches.contains(where: { $0.id == lanes[index].leased }) { lanes[index].leased = nil }
        }
        finishMove(of: contents)
    }

    private func finishMove(of contents: OutboxContents) {
        dirtySince = nil
        mark()
        publish(lanes.indices)
        for (lane, count) in contents.losses {
            diagnostics.send(.dropped(lane: lane, reason: .corrupted, count: count))
        }
        for lane in lanes { lane.wake.signal() }
    }
}
