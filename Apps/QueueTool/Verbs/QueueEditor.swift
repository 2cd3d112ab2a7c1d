import CoreTracker
import EventDelivery
import EventOutbox

/// An editor that changes the queue of a directory in one transaction, under the directory's lock.
///
/// No process may use the directory.
struct QueueEditor {
    /// A completed or planned change of a lane, with its counts before the change.
    struct Change {
        let lane: LaneID
        var events = 0
        var quarantined = 0
        var pending = 0
    }

    let directory: QueueDirectory

    /// Moves quarantined events to the end of their lanes, or drops them.
    func change(_ action: QueueArguments.QuarantineAction, _ choice: QueueArguments.Choice) throws(ToolError)
        -> [Change]
    {
        let now = QueueReader.now
        var changes: [LaneID: Change] = [:]
        try edit { outbox, rows throws(OutboxError) in
            var (change, touched) = (OutboxChange(), [LaneID: Change]())
            for event in choice.events(in: rows.quarantined) {
                guard let index = rows.lanes.firstIndex(where: { $0.id == event.lane }) else { continue }
                if touched[event.lane] == nil { touched[event.lane] = Change(rows.lanes[index]) }
                touched[event.lane]?.events += 1
                change.remove(event, lane: rows.lanes[index].number)
                if action == .retry {
                    let segment = rows.lanes[index].takeBack(event, at: now)
                    rows.lanes[index].counts.count(segment.summary, sign: 1)
                    change.save(segment)
                } else {
                    rows.lanes[index].giveUpQuarantined(.discarded)
                }
                change.save(rows.lanes[index])
            }
            changes = touched
            if !change.isEmpty { try outbox.commit(change, barrier: true) }
        }
        return changes.values.sorted { $0.lane < $1.lane }
    }

    /// Deletes all stored events of a lane, including their bytes on disk, and counts them as discarded.
    func purge(_ id: LaneID) throws(ToolError) {
        try edit { outbox, rows throws(OutboxError) in
            guard let index = rows.lanes.firstIndex(where: { $0.id == id }) else { return }
            rows.lanes[index].discardAll()
            var (change, state) = (OutboxChange(), rows.state ?? StateRow())
            change.empty(rows.lanes[index])
            state.isUnclean = true
            change.save(state)
            try outbox.commit(change, barrier: true)
            // The process may end after any of these transactions: the events are already out of the queue.
            let number = rows.lanes[index].number
            while true {
                let page = try outbox.summaries(lane: number, after: nil, limit: QueueEditor.step)
                guard !page.isEmpty else { break }
                change = OutboxChange()
                for segment in page { change.remove(segment.place) }
                try outbox.commit(change, barrier: false)
                try outbox.emptyLog()
            }
            try outbox.compact()
            guard let known = rows.state, !known.isUnclean else { return }
            change = OutboxChange()
            change.save(known)
            try outbox.commit(change, barrier: true)
        }
    }

    /// The number of segments that one transaction of a purge deletes.
    private static let step = 64

    private func edit(_ body: (SQLiteOutbox, inout OutboxRows) throws(OutboxError) -> Void) throws(ToolError) {
        if let owner = directory.owner { throw inUse("by process \(owner)") }
        guard directory.file != nil else { return }
        do throws(OutboxError) {
            let directory = try OutboxDirectory(directory.url)
            let lock = try directory.lock()
            defer { lock.release() }
            let outbox = try SQLiteOutbox(path: directory.queue)
            defer { outbox.close() }
            let checkpoint = DurabilityCheckpoint(queue: directory.queue)
            var rows = try OutboxRows(of: outbox, completedBy: checkpoint)
            do throws(OutboxError) {
                try body(outbox, &rows)
            } catch .full {
                // Even a deletion needs space, for which the queue has a disk reserve.
                guard directory.reserve.release() else { throw .full }
                rows = try OutboxRows(of: outbox, completedBy: checkpoint)
                try body(outbox, &rows)
            }
            DurabilityCheckpoint(rows.lanes, number: rows.state?.number ?? 0).write(queue: directory.queue)
        } catch {
            throw explained(error)
        }
    }

    private func inUse(_ user: String) -> ToolError {
        let reason = "\(directory.name) is in use \(user), and only that process may change it"
        return ToolError("\(reason): nothing was changed", .inUse)
    }

    private func explained(_ error: OutboxError) -> ToolError {
        let name = directory.name
        switch error {
        case .busy, .directoryInUse: return inUse("by another process")
        case .foreign:
            let reason = "it belongs to another user, or others can change it"
            return ToolError("\(name): \(reason): nothing was changed; change a copy", .notPermitted)
        case .newerVersion(let version):
            return ToolError("\(name): a newer version of the library wrote it (layout \(version))", .failed)
        case .corrupt:
            return ToolError("\(name) is damaged: the engine recovers the valid events when it opens it", .failed)
        case .full: return ToolError("\(name): the disk is full", .failed)
        default: return ToolError("\(name) cannot be changed: \(error)", .failed)
        }
    }
}

extension QueueEditor.Change {
    fileprivate init(_ row: StoredLane) {
        self.init(
            lane: row.id,
            quarantined: row.ledger.quarantined,
            pending: row.ledger.pending
        )
    }
}

extension StoredLane {
    /// Counts all stored events as discarded.
    fileprivate mutating func discardAll() {
        let lost = ledger.pending + ledger.quarantined
        (ledger.quarantined, counts, start) = (0, LaneCounts(), nextNumber)
        ledger.drop(lost, .discarded)
    }
}
