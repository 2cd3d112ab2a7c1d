import CoreTracker
import EventOutbox
import EventTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The storage of an engine: its directory, its outbox, and the state of both.
///
/// It is confined to the store's executor. It never deletes stored events because of an error.
final class OutboxStorage {
    /// The maximum time between a commit and the next barrier against power loss.
    static let barrierInterval: Duration = .seconds(1)
    /// The maximum number and size of events kept in memory while the disk fails.
    ///
    /// Further events wait in the event buffer, up to its limit.
    private static let memory = (events: 8_192, bytes: 4_000_000)

    /// The state.
    private(set) var state: StorageState
    /// The outbox, with the changes not yet on disk.
    private(set) var outbox = Outbox(unreadable: .notOpen)
    /// The receipts of unstored events.
    var receipts = WaitingReceipts()
    /// The directory whose lock this process holds, or `nil`.
    private var held: (directory: OutboxDirectory, lock: DirectoryLock)?
    /// The state of the queue file.
    private(set) var fileState = QueueFileState()
    private var backoff = StorageBackoff()
    /// The error of the last diagnostic, or `nil` if the storage has worked since.
    private var reported: OutboxError?
    /// Whether another engine of this process has used the directory at the last attempt.
    private(set) var isUsedByThisProcess = false

    private let url: URL?
    /// The size of the pages of a new queue file in bytes.
    ///
    /// A commit writes whole pages. Small ones write fewer bytes for the single events of a phone, and take more time
    /// for a flood of events on a server, whose budget is larger.
    private let pageSize: Int
    private let buffer: EventBuffer
    private var clock: any DeliveryClock { buffer.clock }

    init(directory: URL?, budget: DeliveryBudget, buffer: EventBuffer) {
        (url, self.buffer) = (directory, buffer)
        pageSize = budget.bytes <= 20_000_000 ? 2_048 : 4_096
        state = .waiting(.notOpen, retryAt: buffer.clock.monotonicTime())
    }

    /// The error that prevents storing, or `nil`.
    var failure: OutboxError? { state.failure }

    /// The path of the directory, or an empty string without one.
    var directory: String { url?.path ?? "" }

    /// Whether this process waits for its directory.
    var isWaiting: Bool { if case .waiting = state { true } else { false } }

    /// Whether the app has suspended the storage.
    var isSuspended: Bool { if case .waiting(.suspended, _) = state { true } else { false } }

    /// Whether the next group can be stored or kept in memory.
    var hasRoom: Bool {
        switch state {
        case .ready, .inMemory: return true
        case .waiting, .closed: return false
        case .refusing, .unreadable:
            let size = outbox.unsavedSize
            return size.events < OutboxStorage.memory.events && size.bytes < OutboxStorage.memory.bytes
        }
    }

    /// The time of the next barrier, if any.
    var barrierDue: MonotonicInstant? {
        state == .ready ? fileState.dirtySince?.advanced(by: OutboxStorage.barrierInterval) : nil
    }

    /// Returns the time of the next attempt to use the storage, if any.
    ///
    /// - Parameter isPressing: Whether a decision waits for it.
    func retryDue(isPressing: Bool) -> MonotonicInstant? {
        guard !isSuspended, let retryAt = state.retryAt else { return nil }
        return isPressing ? min(retryAt, backoff.pressing) : retryAt
    }

    /// Whether the directory's lock is still held.
    ///
    /// It is `true` if events are kept in memory only.
    var ownsDirectory: Bool { !outbox.isFile || held?.lock.isHeld == true }

    /// Commits a change together with the changes that failed earlier.
    ///
    /// The last space of the disk belongs to decisions. If the disk has no room for the disk reserve, no other change
    /// is committed.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - barrier: Whether the change must survive a power loss.
    ///   - losses: The events dropped by the change.
    /// - Throws: `OutboxError.directoryInUse` if the directory's lock is lost, or the storage error. Nothing is changed
    ///   then.
    func commit(
        _ change: OutboxChange,
        barrier: Bool = false,
        losing losses: [SettledEvents] = []
    ) throws(OutboxError) {
        try checkUse()
        if fileState.lacksReserve { fillReserve() }
        guard !fileState.lacksReserve else { throw .full }
        try outbox.commit(change, barrier: barrier)
        fileState.dirtySince = barrier ? nil : fileState.dirtySince ?? clock.monotonicTime()
        for events in losses { receipts.lose(events) }
        succeeded()
    }

    /// Stores the decisions of the outbox, for which it frees the disk reserve if necessary.
    ///
    /// Changes that failed earlier remain in memory.
    ///
    /// - Throws: The errors of ``commit(_:barrier:losing:)``.
    func commitDecisions() throws(OutboxError) {
        try checkUse()
        try freeingReserve { () throws(OutboxError) in try outbox.commitDecisions() }
        fileState.dirtySince = outbox.hasUnsaved ? fileState.dirtySince ?? clock.monotonicTime() : nil
        if !outbox.hasUnsaved { succeeded() }
    }

    /// Makes a step of a deletion in the file, for which it frees the disk reserve if necessary.
    ///
    /// - Parameter body: The step.
    /// - Returns: The result of the step.
    /// - Throws: The storage error.
    func delete<Result>(
        _ body: (Outbox) throws(OutboxError) -> Result
    ) throws(OutboxError) -> Result {
        let result = try freeingReserve { () throws(OutboxError) in try body(outbox) }
        fileState.dirtySince = fileState.dirtySince ?? clock.monotonicTime()
        return result
    }

    private func checkUse() throws(OutboxError) {
        guard ownsDirectory else { throw .directoryInUse }
        guard !fileState.isSuspect else { throw failure ?? .vanished }
    }

    /// Runs a block again in the space of the disk reserve if the disk may lack space for it.
    private func freeingReserve<Result>(
        _ body: () throws(OutboxError) -> Result
    ) throws(OutboxError) -> Result {
        do throws(OutboxError) {
            return try body()
        } catch {
            guard error.mayLackSpace, outbox.isFile, held?.directory.reserve.release() == true else { throw error }
            fileState.lacksReserve = true
            return try body()
        }
    }

    /// Creates the disk reserve, unless there is one.
    func fillReserve() {
        guard outbox.isFile, let held else { return }
        fileState.lacksReserve = !held.directory.reserve.fill()
    }

    /// Keeps in memory a change that has already happened, such as an acknowledgement.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - losses: The events dropped by the change.
    func keep(_ change: OutboxChange, losing losses: [SettledEvents] = []) {
        outbox.keep(change)
        for events in losses { receipts.lose(events) }
    }

    /// Completes the receipts of events committed or kept in memory.
    ///
    /// If an event is only in memory, its receipt waits until the event is stored or delivered, unless the app has
    /// chosen an outbox in memory.
    func completeReceipts(_ written: [(id: EventID, entry: WaitingReceipts.Entry)]) {
        if failure == nil {
            publishStored(written.lazy.filter { $0.entry.outcome == .stored }.map { ($0.id, $0.entry.laneID) })
        }
        for (id, entry) in written {
            if entry.outcome == .stored, failure != nil {
                receipts.add(id, entry)
            } else {
                entry.waiting?.resume(returning: Receipt(id: id, outcome: entry.outcome))
            }
        }
    }

    /// Completes the receipts of events in memory, which are stored now.
    private func completeReceipts() {
        publishStored(receipts.stored)
        receipts.completeAll()
    }

    /// Publishes the outcome before the receipts are returned.
    private func publishStored(_ events: some Sequence<(id: EventID, lane: LaneID)>) {
        guard buffer.outcomes.hasListeners else { return }
        buffer.outcomes.publish(events.map { (kind: .stored, lane: $0.lane, id: $0.id, count: 1) })
    }

    /// Records a storage failure.
    ///
    /// From now on changes are kept in memory.
    ///
    /// - Parameter error: The error.
    func failed(_ error: OutboxError) {
        let retryAt = backoff.failed(error, at: clock.monotonicTime())
        switch state {
        case .waiting: change(to: .waiting(error, retryAt: retryAt))
        case .inMemory(let reason, _) where outbox.isOpen: change(to: .inMemory(reason, retryAt: retryAt))
        // The replacement for the outbox in memory is complete, but cannot be opened.
        case .inMemory: change(to: .unreadable(error, retryAt: retryAt))
        case .unreadable: change(to: .unreadable(error, retryAt: retryAt))
        case .ready where error == .corrupt, .refusing where error == .corrupt:
            change(to: .unreadable(error, retryAt: retryAt))
        case .ready, .refusing: change(to: .refusing(error, retryAt: retryAt))
        case .closed: return
        }
        if outbox.isFile, error.isFailedSync || error == .vanished { fileState.isSuspect = true }
    }

    /// Records a failed read.
    ///
    /// - Parameter error: The error.
    /// - Returns: Whether the part counts as damaged, because it stays unreadable after several attempts.
    func failedToRead(_ error: OutboxError) -> Bool {
        guard error != .corrupt else { return true }
        change(to: .unreadable(error, retryAt: backoff.failedToRead(at: clock.monotonicTime())))
        return backoff.readFailures > StorageBackoff.maximumReadFailures
    }

    /// Whether the held directory has a file that cannot be used now, and that may contain events of this process.
    var mayContainLost: Bool { !outbox.isFile && held != nil }

    /// Records a successful read.
    func succeededToRead() { backoff.succeededToRead() }

    /// Records that all changes in memory are stored, and completes their receipts.
    ///
    /// Without a file, only lost events are settled.
    private func succeeded() {
        switch state {
        case .refusing, .unreadable:
            backoff.succeeded()
            change(to: .ready)
            completeReceipts()
        case .inMemory where !mayContainLost: receipts.completeLost()
        case .inMemory, .waiting, .ready, .closed: break
        }
    }

    private func change(to state: StorageState) {
        if let failure = state.failure, failure != reported, failure != .notOpen {
            buffer.diagnostics.send(.storageFailed(failure))
            reported = failure
        }
        if reported != nil, state == .ready {
            buffer.diagnostics.send(.storageRecovered)
            reported = nil
        }
        self.state = state
        // The writer sets its next timer.
        buffer.wake.signal()
    }

    /// Whether a barrier has work: some commit may not survive a power loss, or the file is gone.
    var needsBarrier: Bool { fileState.dirtySince != nil || !outbox.isPresent }

    /// Makes all stored events survive a power loss, and writes the durability checkpoint.
    ///
    /// - Parameters:
    ///   - lanes: The rows of the lanes.
    ///   - number: The greatest decision number of all decisions, erasures and events.
    /// - Throws: The storage error.
    func makeBarrier(_ lanes: [StoredLane], number: UInt64) throws(OutboxError) {
        guard outbox.isPresent else { throw .vanished }
        try commit(OutboxChange(), barrier: true)
        writeCheckpoint(lanes, number: number)
        if state == .ready { fillReserve() }
        // Maintenance is left to the writer because callers wait for the barrier.
        fileState.needsMaintenance = true
        buffer.wake.signal()
    }

    /// Writes the durability checkpoint next to the queue file.
    ///
    /// If changes are only in memory, it contains the rows in the file.
    func writeCheckpoint(_ lanes: [StoredLane], number: UInt64) {
        guard outbox.isFile, let held else { return }
        var (lanes, number) = (lanes, number)
        if outbox.hasUnsaved {
            guard let rows = try? outbox.storedRows() else { return }
            (lanes, number) = (rows.lanes, rows.state?.number ?? 0)
        }
        DurabilityCheckpoint(lanes, number: number).write(queue: held.directory.queue)
    }

    /// The file of the quotas document, or `nil` if this process does not hold a directory.
    var quotasFile: QuotasFile? {
        guard let held, held.lock.isHeld else { return nil }
        return QuotasFile(in: held.directory)
    }

    /// Does the file's maintenance after a barrier.
    ///
    /// - Throws: The storage error.
    func maintain() throws(OutboxError) {
        fileState.needsMaintenance = false
        guard state == .ready else { return }
        try outbox.maintain()
        // Damaged files moved aside contain events and must not be kept forever. If it fails, the next barrier tries again.
        _ = try? held?.directory.trimSetAside(now: clock.wallTime())
    }

    /// Deletes the damaged files moved aside earlier.
    ///
    /// They may contain events of any purpose and user.
    ///
    /// - Throws: The error if a file could not be deleted.
    func removeDamaged() throws(OutboxError) { try held?.directory.removeSetAside() }

    /// Suspends the storage: closes the file and releases the directory, or does not try to use it again.
    func suspend() {
        if case .inMemory(let reason, _?) = state {
            releaseDirectory()
            return change(to: .inMemory(reason, retryAt: nil))
        }
        if outbox.isFile || isWaiting { giveUp(.suspended) }
    }

    /// Ends a suspension, so the directory is opened again.
    func resume() {
        let now = clock.monotonicTime()
        switch state {
        case .waiting(.suspended, _): change(to: .waiting(.notOpen, retryAt: now))
        case .inMemory(let reason?, nil) where !reason.isPermanent: change(to: .inMemory(reason, retryAt: now))
        default: break
        }
    }

    /// Closes the file, releases the directory and waits for it again.
    ///
    /// - Parameter reason: The reason for the wait.
    func giveUp(_ reason: OutboxError) {
        closeFile()
        receipts.completeAll(.dropped(.bufferFull))
        change(to: .waiting(reason, retryAt: backoff.failed(reason, at: clock.monotonicTime())))
    }

    /// Closes the file, releases the directory, and completes the pending receipts as lost.
    ///
    /// - Parameter reason: The reason of the receipts.
    func close(losing reason: DropReason) {
        receipts.completeAll(.dropped(reason))
        closeFile()
        state = .closed
    }

    private func closeFile() {
        outbox.overwriteFailedCommit()
        outbox.close()
        outbox = Outbox(unreadable: .notOpen)
        fileState = QueueFileState()
        releaseDirectory()
    }

    private func releaseDirectory() {
        held?.lock.release()
        held = nil
    }
}

/// Opening the directory.
extension OutboxStorage {
    /// Opens the directory, or an outbox in memory if there is none or if it cannot be used.
    ///
    /// If the directory is only unavailable for now, its contents are unknown, and the engine waits.
    ///
    /// - Returns: The contents, or `nil` if this process must wait.
    func open() -> OpenedOutbox? {
        guard isWaiting, !isSuspended else { return nil }
        guard let url else { return openInMemory(nil, retries: false) }
        do throws(OutboxError) {
            let opened = try read(try hold(url))
            backoff.succeeded()
            backoff.succeededToRead()
            // A process that was killed may have left commits without a barrier.
            fileState.dirtySince = clock.monotonicTime()
            change(to: .ready)
            return opened
        } catch {
            releaseDirectory()
            isUsedByThisProcess = error == .directoryInUse && OutboxDirectory.isLockedByThisProcess(url)
            let isEmpty = error != .directoryInUse && OutboxDirectory.isSurelyEmpty(url)
            if error.isPermanent || isEmpty { return openInMemory(error, retries: !error.isPermanent) }
            failed(error)
            return nil
        }
    }

    private func openInMemory(_ reason: OutboxError?, retries: Bool) -> OpenedOutbox? {
        do throws(OutboxError) {
            outbox = Outbox(try SQLiteOutbox())
        } catch {
            failed(error)
            return nil
        }
        let retryAt = reason.flatMap { retries ? backoff.failed($0, at: clock.monotonicTime()) : nil }
        change(to: .inMemory(reason, retryAt: retryAt))
        return OpenedOutbox(rows: OutboxRows(), isNew: true)
    }

    private func hold(_ url: URL) throws(OutboxError) -> OutboxDirectory {
        releaseDirectory()
        let directory = try OutboxDirectory(url, pageSize: pageSize)
        let lock = try directory.lock()
        held = (directory, lock)
        buffer.runtime.holdsLock?({ lock.release() })
        if directory.wasOpenToGroup { buffer.diagnostics.send(.permissionsRestored(directory: self.directory)) }
        return directory
    }

    private func read(_ directory: OutboxDirectory) throws(OutboxError) -> OpenedOutbox {
        do throws(OutboxError) {
            try OutboxReplacement.complete(in: directory)
            guard !FileStatus.isMissing(at: directory.queue) else { return try create(in: directory) }
            try directory.moveStraysAside()
            var rows = try openFile(in: directory)
            // If a process is killed while it creates the file, the file has no rows.
            if rows.isEmpty, !(try directory.wasUsed()) { rows.state = StateRow() }
            return OpenedOutbox(rows: rows)
        } catch {
            if error == .busy { throw .directoryInUse }
            if case .failed = error { _ = backoff.failedToRead(at: clock.monotonicTime()) }
            guard error == .corrupt || backoff.readFailures > StorageBackoff.maximumReadFailures else { throw error }
            return try recover(directory)
        }
    }

    /// Opens the queue file, for which a full disk may need the reserve, and reads its rows.
    ///
    /// - Parameters:
    ///   - directory: The locked directory.
    ///   - other: The outbox whose unsaved changes are stored first.
    private func openFile(
        in directory: OutboxDirectory,
        keeping other: Outbox? = nil
    ) throws(OutboxError) -> OutboxRows {
        let file: SQLiteOutbox
        do throws(OutboxError) {
            file = try SQLiteOutbox(path: directory.queue)
        } catch {
            // The log is another file, for which the file system may have no room.
            guard error.mayLackSpace, directory.reserve.release() else { throw error }
            file = try SQLiteOutbox(path: directory.queue)
        }
        do throws(OutboxError) {
            let opened = Outbox(file, keeping: other)
            try opened.storeUnsaved()
            let rows = try OutboxRows(of: file, completedBy: DurabilityCheckpoint(queue: directory.queue))
            outbox = opened
            return rows
        } catch {
            file.close()
            throw error
        }
    }

    private func create(in directory: OutboxDirectory) throws(OutboxError) -> OpenedOutbox {
        // A lost file is damage: its decisions are unknown.
        guard !(try directory.lacksQueue()) else { throw .corrupt }
        let file = try directory.makeOutbox()
        do throws(OutboxError) {
            try directory.sync()
        } catch {
            // A connection that stays open would keep later attempts from using the file.
            file.close()
            throw error
        }
        outbox = Outbox(file)
        return OpenedOutbox(rows: OutboxRows(), isNew: true)
    }

    /// Replaces a damaged or lost queue file by a file with its valid events.
    private func recover(_ directory: OutboxDirectory) throws(OutboxError) -> OpenedOutbox {
        let checkpoint = DurabilityCheckpoint(queue: directory.queue)
        let losses: [LaneID: Int]
        if FileStatus.isMissing(at: directory.queue) {
            var rows = OutboxRows()
            rows.lanes = StoredLane.merging([], with: checkpoint)
            rows.state = nil
            losses = try OutboxReplacement.write(in: directory, rows: rows) { _ in }.losses
        } else {
            let salvage = try SQLiteSalvage(
                path: directory.queue,
                skipsUnreadable: backoff.readFailures > StorageBackoff.maximumReadFailures
            )
            losses = try OutboxReplacement.write(in: directory, rows: try salvage.rows(completedBy: checkpoint)) {
                add throws(OutboxError) in try salvage.forEachSegment(add)
            }.losses
        }
        try OutboxReplacement.complete(in: directory)
        return OpenedOutbox(rows: try openFile(in: directory), losses: losses)
    }
}

/// Replacing the queue file while the engine is open.
extension OutboxStorage {
    /// Replaces the queue file by a new one with all valid events, including those in memory.
    ///
    /// - Parameters:
    ///   - rows: All rows except the segments.
    ///   - isDamaged: Whether the file is damaged. Otherwise its contents can still be read.
    /// - Returns: The rows of the new file, and the number of missing events of each lane.
    /// - Throws: The storage error.
    func replaceFile(rows: OutboxRows, isDamaged: Bool) throws(OutboxError) -> OpenedOutbox {
        guard let url else { throw .notOpen }
        if isDamaged, !backoff.mayReplace(at: clock.monotonicTime()) { throw .corrupt }
        let directory = if let held, held.lock.isHeld { held.directory } else { try hold(url) }
        // A directory that appears later may contain events of an earlier run, which stay for the next start.
        if case .inMemory = state, outbox.isOpen, !OutboxDirectory.isSurelyEmpty(url) {
            releaseDirectory()
            throw .occupied
        }
        var losses: [LaneID: Int]?
        if !fileState.hasReplacement {
            if isDamaged {
                losses = try salvageFile(in: directory, rows: rows)
            } else {
                _ = try outbox.writeReplacement(in: directory, rows: rows)
                outbox.discard()
            }
            // The replacement contains the changes in memory.
            outbox = Outbox(unreadable: .missing)
            fileState.hasReplacement = true
        }
        try OutboxReplacement.complete(in: directory)
        let opened = OpenedOutbox(rows: try openFile(in: directory, keeping: outbox), losses: losses)
        (fileState.isSuspect, fileState.hasReplacement, fileState.lacksReserve) = (false, false, true)
        backoff.succeeded()
        backoff.succeededToRead()
        change(to: .ready)
        completeReceipts()
        return opened
    }

    private func salvageFile(
        in directory: OutboxDirectory,
        rows: OutboxRows
    ) throws(OutboxError) -> [LaneID: Int] {
        // The connection must be closed before the file is read by another one.
        outbox.close()
        let kept = outbox
        outbox = Outbox(unreadable: .corrupt, keeping: kept)
        let salvage = try SQLiteSalvage(path: directory.queue, skipsUnreadable: backoff.treatsUnreadableAsDamaged)
        return try OutboxReplacement.write(in: directory, rows: rows) { add throws(OutboxError) in
            try salvage.forEachSegment { segment throws(OutboxError) in
                if !kept.replaces(segment.place) { try add(segment) }
            }
            try kept.forEachUnsavedSegment(add)
        }.losses
    }

    /// Reopens the file after a read error closed it, with the changes in memory.
    ///
    /// - Throws: The storage error.
    func reopenFile() throws(OutboxError) {
        guard let held, held.lock.isHeld else { throw .directoryInUse }
        try OutboxReplacement.complete(in: held.directory)
        outbox = Outbox(try SQLiteOutbox(path: held.directory.queue), keeping: outbox)
        fileState.hasReplacement = false
    }
}
