import CoreTracker
import EventBuffer

/// Giving the files back for a while, and taking them up again.
///
/// It is a failure of the storage that the app asks for: memory keeps what happens, within the same bounds.
extension OutboxKeeper {
    /// Closes the files and gives up their locks; nothing touches the directory until the storage is resumed.
    func suspend(lanes: LaneTable) {
        guard directory != nil, !isSuspended else { return }
        // A commit whose sync failed is still in the log, and memory holds it too: it would come back with the file.
        // Another commit overwrites it, even if its own sync fails as well.
        if isSuspect { try? outbox.base.commit(OutboxChange(), barrier: true) }
        if file != nil, suspended == nil { suspended = SuspendedFile(outbox.base, rows: lanes.rows) }
        closeOrphans()
        unopened = nil
        failed(.suspended)
        isSuspended = true
        guard file != nil else { return }  // Memory keeps everything already.
        outbox.close()
        use(BufferedOutbox(ClosedOutbox(.suspended), buffer: outbox.buffer))
    }

    /// Takes the files up again; where that fails, it is tried again as after any failure.
    func resume(lanes: inout LaneTable) {
        guard isSuspended else { return }
        isSuspended = false
        recover(lanes: &lanes)
    }

    /// Opens the file again that could not be read for a while, or that was given back.
    func attach(lanes: inout LaneTable) {
        guard let file else { return }
        do throws(OutboxError) {
            guard let own = try openAgain(file) else { return startOver(lanes: &lanes) }
            use(BufferedOutbox(own, buffer: outbox.buffer))
            suspended = nil
            for index in lanes.indices {
                lanes[index].usage = try outbox.usage(lane: lanes[index].stored.number)
                lanes[index].refreshHead(from: outbox)
            }
            try makeSafe(lanes)
        } catch {
            handle(error, lanes: &lanes)
        }
    }

    /// Opens the file again; `nil` where another process has had it since it was given back.
    func openAgain(_ file: OutboxFile) throws(OutboxError) -> SQLiteOutbox? {
        do throws(OutboxError) {
            let own = try SQLiteOutbox(path: file.path)
            guard let suspended, !own.stamps.isSubset(of: suspended.stamps) else { return own }
            own.close()
            return nil
        } catch {
            guard suspended != nil, error == .busy || !OutboxDirectory.isRegularFile(file.path) else { throw error }
            return nil
        }
    }

    /// Goes on with another file, into which only that comes which has happened since the last one was given back: what
    /// that one holds is another process's, or is taken up again as any process's left file.
    func startOver(lanes: inout LaneTable) {
        guard let suspended else { return }
        use(BufferedOutbox(AbsentOutbox(.suspended), buffer: outbox.buffer))
        (file, self.suspended) = (nil, nil)
        do throws(OutboxError) {
            let rows = try rows(since: suspended, lanes: &lanes)
            let contents = try OutboxContents(of: outbox, lanes: rows)
            for stored in contents.lanes {
                let (index, usage) = (lanes.index(of: stored.id), try outbox.usage(lane: stored.number))
                lanes[index].takeUp(stored, usage: usage, batches: contents.batches.filter { $0.lane == stored.number })
                lanes[index].refreshHead(from: outbox)
            }
        } catch {
            return failed(error)
        }
        reopen(lanes: &lanes)
    }

    /// The lanes' rows with the ledgers of what is in memory alone; the other process's ledgers have the rest.
    private func rows(since file: SuspendedFile, lanes: inout LaneTable) throws(OutboxError) -> [StoredLane] {
        var rows = lanes.rows
        for index in rows.indices {
            let known = file.ledgers[rows[index].id] ?? LaneLedger()
            lanes[index].opening = lanes[index].opening.since(known)
            var ledger = rows[index].ledger.since(known)
            // What was acknowledged meanwhile was the file's, and is counted where it is settled there.
            let usage = try outbox.usage(lane: rows[index].number)
            let settled = usage.totalEvents + usage.heldEvents - ledger.pending
            ledger.delivered -= min(max(0, settled), ledger.delivered)
            rows[index].ledger = ledger
        }
        return rows
    }
}

/// What was in a file when it was given back.
struct SuspendedFile {
    /// What the file holds as long as nobody else has it; empty where it cannot be told.
    let stamps: Set<Int>
    /// What the file's own rows say, by lane.
    let ledgers: [LaneID: LaneLedger]

    init(_ outbox: any Outbox, rows: [StoredLane]) {
        stamps = (outbox as? SQLiteOutbox)?.stamps ?? []
        let stored = (try? outbox.lanes()) ?? rows
        ledgers = Dictionary(stored.map { ($0.id, $0.ledger) }, uniquingKeysWith: { first, _ in first })
    }
}
