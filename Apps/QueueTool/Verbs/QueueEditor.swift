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
        try edit { queue throws(OutboxError) in
            var (change, touched) = (OutboxChange(), [LaneID: Change]())
            var rows = Dictionary(uniqueKeysWithValues: queue.lanes.map { ($0.stored.id, $0.stored) })
            for event in try choice.events(in: queue.outbox) {
                guard var row = rows[event.lane] else { continue }
                if touched[row.id] == nil { touched[row.id] = Change(row) }
                touched[row.id]?.events += 1
                change.removedQuarantined.append(event.id)
                if action == .retry {
                    change.inserted.append(row.takeBack(event, at: now))
                } else {
                    row.giveUpQuarantined(.discarded)
                }
                change.note(row)
                rows[event.lane] = row
            }
            guard !change.isEmpty else { return }
            try queue.outbox.commit(change, barrier: true)
            DurabilityCheckpoint(rows.values.sorted { $0.number < $1.number }).write(queue: queue.outbox.path)
            changes = touched
        }
        return changes.values.sorted { $0.lane < $1.lane }
    }

    /// Deletes all stored events of a lane, including their bytes on disk, and counts them as discarded.
    func purge(_ id: LaneID) throws(ToolError) {
        try edit { queue throws(OutboxError) in
            guard var row = queue.lanes.first(where: { $0.stored.id == id })?.stored else { return }
            _ = row.giveUpAll(.discarded)
            try queue.outbox.purge([row])
            let others = queue.lanes.map(\.stored).filter { $0.id != id }
            DurabilityCheckpoint((others + [row]).sorted { $0.number < $1.number }).write(queue: queue.outbox.path)
        }
    }

    private func edit(_ body: (StoredQueue) throws(OutboxError) -> Void) throws(ToolError) {
        if let owner = directory.owner { throw inUse("by process \(owner)") }
        guard directory.file != nil else { return }
        do throws(OutboxError) {
            let directory = try OutboxDirectory(directory.url)
            let lock = try directory.lock()
            defer { lock.release() }
            let queue = try StoredQueue(in: directory)
            defer { queue.outbox.close() }
            do throws(OutboxError) {
                try body(queue)
            } catch .full {
                // Even a deletion needs space, for which the queue has a disk reserve.
                guard directory.reserve.release() else { throw .full }
                try body(queue)
            }
        } catch {
            throw explained(error)
        }
    }

    private func inUse(_ user: String) -> ToolError {
        ToolError("\(directory.name) is in use \(user), which alone may change it: nothing is changed", .inUse)
    }

    private func explained(_ error: OutboxError) -> ToolError {
        let name = directory.name
        switch error {
        case .busy, .directoryInUse: return inUse("by another process")
        case .foreign:
            return ToolError("\(name) is not your own alone: nothing is changed; change a copy", .notPermitted)
        case .newerVersion(let version):
            return ToolError("\(name): a newer version of the library has written it (layout \(version))", .failed)
        case .corrupt: return ToolError("\(name) is damaged: the engine saves what it can when it opens it", .failed)
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
