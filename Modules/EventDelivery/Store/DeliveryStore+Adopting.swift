import Foundation

/// How the contents of other outboxes come into this engine's own.
extension DeliveryStore {
    /// Takes over one file that an ended process has left; `false` when there is none.
    func adoptNext() -> Bool {
        guard storageFailure == nil, file != nil else { return false }
        if let orphan = orphans.first {
            orphans.removeFirst()
            adopt(orphan)
        } else if let path = damaged.popLast() {
            salvage(path)
        } else {
            return false
        }
        return true
    }

    /// Brings an ended process's events into this outbox in one transaction, then deletes its file.
    private func adopt(_ orphan: Orphan) {
        do throws(OutboxError) {
            let contents = try OutboxContents(of: orphan.outbox, lanes: orphan.lanes.map(\.stored))
            try absorb(contents, from: [orphan.name], isEarlier: true)
            orphan.outbox.discard()
            diagnostics.send(.adopted(events: contents.pendingEvents))
        } catch .corrupt {
            orphan.outbox.close()
            damaged.append(orphan.file.path)
        } catch {
            // The orphan stays as it is, for the next process that opens the directory.
            orphan.outbox.close()
            handle(error)
        }
    }

    /// Brings a damaged file's sound events into this outbox, then sets it aside.
    private func salvage(_ path: String) {
        guard let directory = file?.directory else { return }
        do throws(OutboxError) {
            let contents = try SQLiteSalvage.read(path: path, mark: HighWaterMark(queue: path))
            try absorb(contents, from: [OutboxDirectory.name(of: path)], isEarlier: true)
            _ = try directory.setAside(path)
            diagnostics.send(.salvaged(events: contents.pendingEvents))
        } catch {
            handle(error)
        }
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
