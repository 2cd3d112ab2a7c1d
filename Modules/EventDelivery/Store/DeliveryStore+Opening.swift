import Foundation

/// How an outbox is found, taken over, mended and left.
extension DeliveryStore {
    /// Opens the outbox: local, quick, and always with a result, in memory where the device does not let us write.
    func open() {
        do throws(OutboxError) {
            try openFile()
        } catch {
            storageFailed(error)
        }
        if deviceID.isEmpty { deviceID = Installation.makeID() }
        for destination in configuration.destinations { _ = index(of: destination.lane) }
        for index in lanes.indices { lanes[index].opening = lanes[index].stored.ledger }
        publish(lanes.indices)
        diagnostics.send(.opened(pending: lanes.reduce(0) { $0 + $1.stored.ledger.pending }))
    }

    private func openFile() throws(OutboxError) {
        guard let url = configuration.directory else { return }
        let directory = try OutboxDirectory(url)
        deviceID = Installation(directory: url).id
        var orphans: [(file: OutboxFile, outbox: SQLiteOutbox)] = []
        var damaged: [String] = []
        for path in try directory.queues() {
            do throws(OutboxError) {
                let outbox = try SQLiteOutbox(path: path)
                orphans.append((OutboxFile(directory: directory, path: path), outbox))
            } catch .corrupt {
                damaged.append(path)
            } catch .busy {
                // Another process, or another engine of this one, is at work on it.
            } catch .newerVersion(let version) {
                diagnostics.send(.setAside(.newerVersion(version)))
            }
        }
        if orphans.isEmpty {
            let path = try directory.makeQueue(id: batchIDs.next(at: clock.wallTime()).description)
            orphans.append((OutboxFile(directory: directory, path: path), try SQLiteOutbox(path: path)))
        }
        try takeUp(orphans[0].outbox, orphans[0].file)
        for orphan in orphans.dropFirst() { adopt(orphan.outbox, orphan.file) }
        for path in damaged { salvage(path, directory: directory) }
        file?.ballast.fill()
    }

    /// Makes an outbox this engine's own, and checks its books against its rows and its mark.
    private func takeUp(_ outbox: SQLiteOutbox, _ file: OutboxFile) throws(OutboxError) {
        let mark = HighWaterMark(queue: file.path)
        self.outbox = outbox
        self.file = file
        for stored in try outbox.lanes() { try takeUp(stored, mark: mark) }
        let known = Set(lanes.map(\.stored.number))
        // A lane whose row is gone still has its packs; the mark knows its name.
        for lane in mark?.lanes ?? [] where !known.contains(lane.number) {
            try takeUp(StoredLane(number: lane.number, id: lane.id), mark: mark)
        }
    }

    private func takeUp(_ stored: StoredLane, mark: HighWaterMark?) throws(OutboxError) {
        let index = index(of: stored.id)
        let isDamaged = stored.nextNumber == 1 && stored.ledger == LaneLedger()
        lanes[index].stored = stored
        lanes[index].batches = try outbox.batches(lane: stored.number)
        if let next = mark?.lanes.first(where: { $0.number == stored.number })?.nextNumber, next > stored.nextNumber {
            if !isDamaged {
                lanes[index].stored.ledger.accepted += Int(next - stored.nextNumber)
            }
            lanes[index].stored.nextNumber = next
        }
        let last = try outbox.lastSummary(lane: stored.number)
        if let last {
            let end = last.place.number + Int64(last.count)
            lanes[index].stored.nextNumber = max(lanes[index].stored.nextNumber, end)
        }
        try reconcile(lane: index)
    }

    /// Brings an ended process's events into this outbox in one transaction, then deletes its file.
    private func adopt(_ orphan: SQLiteOutbox, _ orphanFile: OutboxFile) {
        let name = URL(fileURLWithPath: orphanFile.path).lastPathComponent
        do throws(OutboxError) {
            if !outbox.hasAdopted(name) {
                let contents = try OutboxContents(of: orphan)
                try absorb(contents, from: name)
                diagnostics.send(.adopted(events: contents.pendingEvents))
            }
            orphan.close()
            orphanFile.directory.remove(orphanFile.path)
        } catch {
            // The orphan stays as it is, for the next process that opens the directory.
            orphan.close()
            storageFailed(error)
        }
    }

    /// Sets a damaged file aside and brings its sound events into this outbox.
    private func salvage(_ path: String, directory: OutboxDirectory) {
        do throws(OutboxError) {
            let mark = HighWaterMark(queue: path)
            let moved = try directory.setAside(path)
            var contents = OutboxContents()
            let result = SQLiteSalvage.read(path: moved, mark: mark)
            (contents.lanes, contents.packs, contents.held) = (result.lanes, result.packs, result.held)
            contents.countLosses()
            try absorb(contents, from: URL(fileURLWithPath: moved).lastPathComponent)
            diagnostics.send(.salvaged(events: contents.pendingEvents))
        } catch {
            storageFailed(error)
        }
    }

    /// Adds another outbox's contents to this one, in one transaction with a note of its name.
    func absorb(_ contents: OutboxContents, from name: String) throws(OutboxError) {
        var change = OutboxChange()
        change.adopted = name
        var working = lanes
        for stored in contents.lanes {
            let index = index(of: stored.id)
            if index >= working.count { working += lanes[working.count...] }
            working[index].stored.ledger.add(stored.ledger)
            for pack in contents.packs where pack.place.lane == stored.number {
                change.inserted.append(working[index].renumbered(pack))
            }
            for pack in contents.held where pack.place.lane == stored.number {
                change.insertedHeld.append(working[index].renumbered(pack))
            }
            change.lanes.append(working[index].stored)
        }
        change.insertedQuarantined = contents.quarantined
        try commit(change, barrier: true)
        for index in working.indices {
            lanes[index].stored = working[index].stored
            lanes[index].usage = try outbox.usage(lane: lanes[index].stored.number)
            lanes[index].wake.signal()
        }
        publish(lanes.indices)
    }

    /// Does what an error of the storage calls for; nothing that is stored is ever deleted.
    func handle(_ error: OutboxError) {
        storageFailed(error)
        switch error {
        case .corrupt: rebuild()
        case .vanished: replaceVanished()
        default: break
        }
    }

    /// Notices that the file was unlinked or replaced while it was open.
    func checkPresence() {
        guard let file, let inode = file.inode, !OutboxDirectory.isPresent(file.path, inode: inode) else { return }
        handle(.vanished)
    }

    /// Starts a new file in the place of one that turned out to be damaged, with what is sound in it.
    private func rebuild() {
        guard let file else { return }
        outbox.close()
        for index in lanes.indices {
            lanes[index].batches = []
            lanes[index].leased = nil
        }
        let books = lanes
        do throws(OutboxError) {
            try startAnew(file.directory)
            let mark = HighWaterMark(queue: file.path)
            let moved = try file.directory.setAside(file.path)
            let result = SQLiteSalvage.read(path: moved, mark: mark)
            var contents = OutboxContents()
            (contents.lanes, contents.packs, contents.held) = (books.map(\.stored), result.packs, result.held)
            contents.countLosses()
            try absorb(contents, from: URL(fileURLWithPath: moved).lastPathComponent)
            diagnostics.send(.salvaged(events: contents.pendingEvents))
        } catch {
            storageFailed(error)
        }
    }

    /// Starts a new file in the place of one that was unlinked; it is still readable through the open connection.
    private func replaceVanished() {
        guard let file else { return }
        let old = outbox
        do throws(OutboxError) {
            let contents = try OutboxContents(of: old)
            for index in lanes.indices {
                lanes[index].batches = []
                lanes[index].leased = nil
            }
            _ = try OutboxDirectory(file.directory.url)
            try startAnew(file.directory)
            try absorb(contents, from: file.path)
            old.close()
        } catch {
            storageFailed(error)
        }
    }

    /// Opens a new, empty file with empty books for the lanes that are known.
    private func startAnew(_ directory: OutboxDirectory) throws(OutboxError) {
        let path = try directory.makeQueue(id: batchIDs.next(at: clock.wallTime()).description)
        outbox = try SQLiteOutbox(path: path)
        file = OutboxFile(directory: directory, path: path)
        for index in lanes.indices {
            let next = lanes[index].stored.nextNumber
            lanes[index].stored.ledger = LaneLedger()
            lanes[index].stored.nextNumber = next
            lanes[index].usage = LaneUsage()
        }
    }
}

extension LaneState {
    /// Gives a pack of another outbox the next place in this lane.
    mutating func renumbered(_ pack: Pack) -> Pack {
        let place = PackPlace(lane: stored.number, number: stored.nextNumber)
        stored.nextNumber += Int64(pack.count)
        var moved = Pack(place: place, priority: pack.priority, key: pack.key, stored: pack.stored)
        for record in pack.read() { moved.append(id: record.id, fragment: record.fragment) }
        return moved
    }
}
