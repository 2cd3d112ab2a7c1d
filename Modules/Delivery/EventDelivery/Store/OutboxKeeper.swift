import CoreTracker
import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A component that commits changes to the outbox and recovers from storage errors.
///
/// It is confined to the store's executor. It changes the lane table that the store passes in. It never deletes stored
/// events because of an error.
final class OutboxKeeper {
    /// The maximum time between a commit and the next barrier against power loss.
    static let barrierInterval: Duration = .seconds(1)
    /// The number of consecutive failed reads after which an unreadable part of the file counts as damaged.
    static let maximumReadFailures = 4
    private static let firstPause: Duration = .seconds(1)
    static let longestPause: Duration = .seconds(60)
    /// The maximum number and size of events that are kept in memory while the disk fails.
    ///
    /// Further events wait in the event buffer, up to its limit.
    private static let memory = (events: 8_192, bytes: 4_000_000)

    /// The outbox, with the changes that are not on disk yet.
    private(set) var outbox = BufferedOutbox(InMemoryOutbox())
    /// The error that currently prevents storing, or `nil`.
    private(set) var failure: OutboxError?
    /// The time of the oldest commit since the last barrier.
    private(set) var dirtySince: MonotonicInstant?
    /// Whether the file needs maintenance when the writer is idle.
    private(set) var needsMaintenance = false
    /// The directory whose lock this process holds, or `nil`.
    var held: (directory: OutboxDirectory, lock: DirectoryLock)?
    /// Whether the outbox is the directory's queue file, not an outbox in memory.
    var hasFile = false
    /// Whether this process waits for its directory.
    ///
    /// While it waits, it encodes, stores and sends no events.
    var isWaiting = false
    /// The last denial of each purpose and the last erasure that were stored when this process began to wait, or `nil`
    /// if it has not waited.
    var seen: (denials: [String: UInt64], erasure: UInt64)?
    /// Whether memory holds all readable contents of the queue file, so a new file may replace it.
    var replacesFile = false
    /// Whether the outbox was closed by ``close()`` and stays closed.
    private(set) var isClosed = false
    /// Whether the app has suspended the storage.
    ///
    /// No file is used until the app resumes it.
    var isSuspended = false
    /// The file's change stamps when it was closed for a suspension, or `nil`.
    ///
    /// If they differ afterwards, another process has used the file.
    var suspendedStamps: Set<Int>?
    /// The number of events per lane that were only in memory when another process used the directory.
    var lostInMemory: [LaneID: Int] = [:]
    /// Whether the last changes may be missing on disk although the file can be read.
    var isSuspect = false
    /// The installation's ID.
    var installation: StoredInstallation
    /// The denials and erasures that have been applied to all contents of the outbox, or `nil` if that record is lost.
    var clearance: Clearance?
    /// The sequence number of the last stored denial of each purpose.
    var denials: [String: UInt64] = [:]
    /// The purposes whose deletion is pending, because bytes of denied events may still be on disk.
    var unfinished: Set<String> = []
    /// The number of consecutive failures to open the queue file.
    var failedOpenings = 0
    private var nextAttempt = MonotonicInstant(nanoseconds: .min)
    private var pause = Duration.zero
    private var lastRebuild: MonotonicInstant?
    private var readFailures = 0
    /// The receipts of events that are in memory until they can be stored.
    private var unconfirmed: [EventID: (lane: Int, waiting: PendingReceipt, outcome: Receipt.Outcome)] = [:]

    /// The directory of the outbox, or `nil` if events are kept in memory only.
    var directory: URL?
    let clock: any DeliveryClock
    let diagnostics: DiagnosticStream
    let runtime: EngineRuntime
    /// The signal that wakes the writer to set its next timer.
    let wake: WakeSignal

    init(
        directory: URL?,
        clock: any DeliveryClock,
        diagnostics: DiagnosticStream,
        wake: WakeSignal,
        runtime: EngineRuntime
    ) {
        installation = StoredInstallation {
            var random = runtime.generator
            return Installation.makeID(using: &random)
        }
        self.directory = directory
        self.clock = clock
        self.diagnostics = diagnostics
        self.wake = wake
        self.runtime = runtime
    }

    /// Whether events must stay in the event buffer because the directory is in use, suspended or not readable yet.
    var isUnavailable: Bool { isWaiting || isSuspended || suspendedStamps != nil }

    /// Whether the next group can be stored or kept in memory.
    var hasRoom: Bool {
        guard !isUnavailable else { return false }
        guard failure != nil else { return true }
        let size = outbox.buffer.size
        return size.events < OutboxKeeper.memory.events && size.bytes < OutboxKeeper.memory.bytes
    }

    /// Whether the next attempt after a storage error is due.
    var isAttemptDue: Bool { failure != nil && !isSuspended && clock.monotonicTime() >= nextAttempt }

    var isBarrierDue: Bool {
        guard failure == nil, let dirtySince else { return false }
        return clock.monotonicTime() >= dirtySince.advanced(by: OutboxKeeper.barrierInterval)
    }

    /// Whether the file is closed until it can be opened again.
    var isDetached: Bool { outbox.base is ClosedOutbox }

    /// Whether events can be leased.
    ///
    /// It is `false` if the storage is unavailable or reads fail.
    var isReadable: Bool { !isUnavailable && (failure == nil || readFailures == 0) }

    /// The time of the next barrier or the next attempt after an error, if any.
    var nextDue: MonotonicInstant? {
        guard !isSuspended else { return nil }
        return failure == nil ? dirtySince?.advanced(by: OutboxKeeper.barrierInterval) : nextAttempt
    }

    /// Commits a change together with the changes that failed earlier.
    ///
    /// If the disk is full, this function frees the disk reserve and tries again.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - barrier: Whether the change must survive a power loss.
    /// - Throws: `OutboxError.vanished` if the directory's lock is lost, or the storage error.
    func commit(_ change: OutboxChange, barrier: Bool = false) throws(OutboxError) {
        guard ownsDirectory else { throw .vanished }
        try useReserve { () throws(OutboxError) in try outbox.commit(change, barrier: barrier) }
        dirtySince = barrier ? nil : dirtySince ?? clock.monotonicTime()
        succeeded()
    }

    /// Commits a change that has already happened, such as an acknowledgement.
    ///
    /// If the disk fails, the change is kept in memory.
    func record(_ change: OutboxChange, lanes: inout LaneTable) {
        guard !change.isEmpty else { return }
        guard failure == nil else {
            outbox.keep(change)
            // Delivery may have freed space in memory.
            return wake.signal()
        }
        do throws(OutboxError) {
            try commit(change)
        } catch {
            outbox.keep(change)
            handle(error, lanes: &lanes)
        }
    }

    /// Keeps a change in memory, with the receipts to complete when it is stored.
    func keep(
        _ change: OutboxChange,
        receipts: [(lane: Int, waiting: PendingReceipt, receipt: Receipt)]
    ) {
        outbox.keep(change)
        for (lane, waiting, receipt) in receipts {
            if receipt.outcome == .persisted {
                unconfirmed[receipt.id] = (lane, waiting, .persisted)
            } else {
                waiting.resume(returning: receipt)
            }
        }
    }

    /// Deletes all stored events of lanes from the disk, then sets the lanes' rows to the given ones.
    ///
    /// If the deletion fails, nothing is changed on disk.
    ///
    /// - Parameters:
    ///   - rows: The rows of the lanes afterwards.
    ///   - change: A change to commit together with the deletion. The bytes of events that it removes are deleted too.
    /// - Returns: An error if some bytes could not be deleted. The events are no longer read then.
    /// - Throws: The storage error if the events could not be deleted.
    func purge(_ rows: [StoredLane], with change: OutboxChange = OutboxChange()) throws(OutboxError) -> OutboxError? {
        try useReserve { () throws(OutboxError) in try outbox.erase(rows, with: change) }
        do throws(OutboxError) {
            try useReserve { () throws(OutboxError) in try outbox.scrub() }
        } catch {
            failed(error)
            return error
        }
        return removeDamaged()
    }

    /// Deletes the damaged files that were moved aside.
    ///
    /// They may contain events of any purpose. Their valid events are in the queue file.
    ///
    /// - Returns: The error if a file could not be deleted.
    func removeDamaged() -> OutboxError? {
        do throws(OutboxError) {
            try held?.directory.removeSetAside()
            return nil
        } catch {
            return error
        }
    }

    /// The error because of which stored events of an earlier run cannot be deleted now, or `nil`.
    var unreachable: OutboxError? { directory != nil && (!hasFile || isUnavailable) ? failure ?? .missing : nil }

    /// Whether the directory's lock is still held.
    ///
    /// It is `true` if events are kept in memory only.
    var ownsDirectory: Bool { !hasFile || held?.lock.isHeld == true }

    /// Makes all stored events survive a power loss.
    func makeBarrier(lanes: inout LaneTable) {
        guard failure == nil else { return }
        guard outbox.isPresent, ownsDirectory else { return handle(.vanished, lanes: &lanes) }
        do throws(OutboxError) {
            try makeSafe(lanes)
        } catch {
            return handle(error, lanes: &lanes)
        }
        if hasFile { held?.directory.reserve.fill() }
        // Maintenance is left to the writer because callers wait for the barrier.
        needsMaintenance = true
        wake.signal()
    }

    /// Stores the changes in memory, makes a barrier and writes the durability checkpoint.
    func makeSafe(_ lanes: LaneTable) throws(OutboxError) {
        try commit(OutboxChange(), barrier: true)
        mark(lanes.rows)
    }

    /// Writes the durability checkpoint next to the queue file.
    func mark(_ rows: [StoredLane]) {
        if hasFile, let held { DurabilityCheckpoint(rows).write(queue: held.directory.queue) }
    }

    /// Does the file's maintenance after a barrier.
    ///
    /// The writer calls it when it is idle.
    func maintain(lanes: inout LaneTable) {
        needsMaintenance = false
        guard failure == nil else { return }
        do throws(OutboxError) {
            try outbox.maintain()
            // Damaged files that were moved aside contain events and must not be kept forever.
            try held?.directory.trimSetAside(now: clock.wallTime())
        } catch {
            handle(error, lanes: &lanes)
        }
    }

    /// Completes the pending receipts of the given events.
    func confirm(_ ids: some Sequence<EventID>, _ outcome: Receipt.Outcome) {
        guard !unconfirmed.isEmpty else { return }
        for id in ids {
            unconfirmed.removeValue(forKey: id)?.waiting.resume(returning: Receipt(id: id, outcome: outcome))
        }
    }

    /// Records that an event is lost.
    ///
    /// Its receipt is completed when the loss is stored.
    ///
    /// Until then the file may still contain the event, and the next start may send it.
    func note(_ reason: DropReason, of id: EventID) {
        unconfirmed[id]?.outcome = .lost(reason)
    }

    /// Completes the pending receipts of the given lanes' events.
    func confirm(lanes: [Int], _ outcome: Receipt.Outcome) {
        confirm(unconfirmed.filter { lanes.contains($0.value.lane) }.map(\.key), outcome)
    }

    /// Closes the file, releases the directory, and completes the pending receipts as lost.
    func close() {
        confirm(Array(unconfirmed.keys), .lost(.closed))
        outbox.close()
        outbox = BufferedOutbox(InMemoryOutbox())
        (hasFile, isClosed) = (false, true)
        giveUpDirectory()
    }

    /// Replaces the outbox.
    func use(_ outbox: BufferedOutbox) {
        self.outbox = outbox
    }

    private func useReserve(_ body: () throws(OutboxError) -> Void) throws(OutboxError) {
        do throws(OutboxError) {
            try body()
        } catch .full {
            guard hasFile, held?.directory.reserve.release() == true else { throw .full }
            try body()
        }
    }
}

/// Recovery from storage errors.
extension OutboxKeeper {
    /// Starts the recovery from an error.
    func handle(_ error: OutboxError, lanes: inout LaneTable) {
        switch error {
        case .corrupt: rebuildIfDue(lanes: &lanes)
        case .vanished: replace(lanes: &lanes)
        // After a failed sync the contents on disk are unknown, and a second sync would not report the loss.
        case _ where error.isFailedSync: replace(lanes: &lanes)
        default: failed(error)
        }
    }

    /// Records a failed read.
    ///
    /// A part of the file that stays unreadable after several attempts counts as damaged.
    func handleRead(_ error: OutboxError, lanes: inout LaneTable) {
        // A flush may try earlier. Such an attempt does not count.
        if readFailures == 0 || clock.monotonicTime() >= nextAttempt { readFailures += 1 }
        guard error != .corrupt, !isUnreadable else { return rebuildIfDue(lanes: &lanes) }
        failed(error, pause: OutboxKeeper.pause(afterReadFailures: readFailures))
    }

    /// Records a successful read.
    func noteRead() {
        readFailures = 0
    }

    /// Whether reads have failed so often that unreadable parts count as damaged.
    var isUnreadable: Bool { readFailures >= OutboxKeeper.maximumReadFailures }

    /// Returns the wait after consecutive failed reads: 2 s after the first, doubled for each further one, at most 60
    /// s.
    static func pause(afterReadFailures failures: Int) -> Duration {
        min(firstPause * (1 << min(failures, 16)), longestPause)
    }

    /// Records that the storage failed.
    ///
    /// From now on changes are kept in memory.
    ///
    /// - Parameters:
    ///   - error: The storage error.
    ///   - pause: The time until the next attempt, or `nil` to double the previous one.
    func failed(_ error: OutboxError, pause: Duration? = nil) {
        // Other errors during a suspension are caused by the suspension.
        guard !isSuspended || error == .suspended else { return }
        self.pause = pause ?? (failure == nil ? OutboxKeeper.firstPause : self.pause * 2)
        self.pause = min(self.pause, error == .directoryInUse ? OutboxKeeper.firstPause : OutboxKeeper.longestPause)
        nextAttempt = clock.monotonicTime().advanced(by: self.pause)
        if failure != error { diagnostics.send(.storageFailed(error)) }
        failure = error
        wake.signal()
    }

    /// Records that all changes in memory are stored, and completes their receipts.
    func succeeded() {
        guard failure != nil else { return }
        failure = nil
        diagnostics.send(.storageRecovered)
        for (id, receipt) in unconfirmed { confirm([id], receipt.outcome) }
    }

    /// Tries to use the storage again after an error.
    func recover(lanes: inout LaneTable) {
        guard let failure, !isSuspended, !isWaiting else { return }
        if suspendedStamps != nil { return attach(lanes: &lanes) }
        if !hasFile, directory != nil { return reopen(lanes: &lanes) }
        if failure == .corrupt { return rebuildIfDue(lanes: &lanes) }
        if isDetached { return attach(lanes: &lanes) }
        if isSuspect || !outbox.isPresent { return replace(lanes: &lanes) }
        do throws(OutboxError) {
            try makeSafe(lanes)
        } catch {
            handle(error, lanes: &lanes)
        }
    }

    private func rebuildIfDue(lanes: inout LaneTable) {
        let now = clock.monotonicTime()
        if let lastRebuild, lastRebuild.duration(to: now) < OutboxKeeper.firstPause { return failed(.corrupt) }
        lastRebuild = now
        if rebuild(lanes: &lanes) { readFailures = 0 }
    }
}
