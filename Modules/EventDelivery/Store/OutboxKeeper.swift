import CoreTracker
import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the outbox usable: commits, and does what an error of the storage calls for.
///
/// It is confined to the store's executor. What it changes of lanes, it changes in the table that the store lends it.
/// Nothing that is stored is ever deleted because of an error.
final class OutboxKeeper {
    /// How long stored events may lack a barrier.
    static let barrierInterval: Duration = .seconds(1)
    /// Reads that fail in a row, after which what cannot be read counts as damaged.
    static let mostReadFailures = 4
    private static let firstPause: Duration = .seconds(1)
    static let longestPause: Duration = .seconds(60)
    /// What may be kept in memory while the disk takes nothing; beyond it events wait in the intake, up to its bound.
    private static let memory = (events: 8_192, bytes: 4_000_000)

    /// What is stored, with what the disk has not taken yet.
    private(set) var outbox = BufferedOutbox(InMemoryOutbox())
    /// Why the storage takes nothing for now; `nil` when it does.
    private(set) var failure: OutboxError?
    /// When the oldest commit since the last barrier was made.
    private(set) var dirtySince: MonotonicInstant?
    /// Whether the file is to be tidied up when there is time.
    private(set) var needsMaintenance = false
    /// The directory whose lock this process holds; `nil` while it holds none.
    var held: (directory: OutboxDirectory, lock: DirectoryLock)?
    /// Whether the outbox is the directory's queue file; not while it is in memory alone.
    var hasFile = false
    /// Whether this process waits for its directory: nothing is encoded, stored or sent meanwhile.
    var isWaiting = false
    /// The last denial of each purpose and the last erasure that were stored when this process began to wait; `nil` if
    /// it has not waited.
    var seen: (denials: [String: UInt64], erasure: UInt64)?
    /// Whether memory holds all that could be read of the queue file, so that a new file may replace it.
    var replacesFile = false
    /// Whether the outbox was closed for good.
    private(set) var isClosed = false
    /// Whether the app has suspended the storage: no file is touched until it resumes it.
    var isSuspended = false
    /// What tells whether another process has used the file since it was closed for a suspension.
    var suspendedStamps: Set<Int>?
    /// Events that were kept in memory alone when another process took the directory over, by lane.
    var lostInMemory: [LaneID: Int] = [:]
    /// Whether the last changes may not have reached the disk, whatever the file says.
    var isSuspect = false
    /// The installation's id.
    var installation: StoredInstallation
    /// Which denials and erasures have been applied to all that the outbox holds; `nil` if that is lost.
    var clearance: Clearance?
    /// The numbers of the last denials that are stored beside the queue, by purpose.
    var denials: [String: UInt64] = [:]
    /// The purposes of which bytes of refused events may still be on the disk.
    var unfinished: Set<String> = []
    /// How often in a row the queue file could not be opened.
    var failedOpenings = 0
    private var nextAttempt = MonotonicInstant(nanoseconds: .min)
    private var pause = Duration.zero
    private var lastRebuild: MonotonicInstant?
    private var readFailures = 0
    /// Receipts of events that are kept in memory until the storage takes them.
    private var unconfirmed: [EventID: (lane: Int, waiting: PendingReceipt, outcome: Receipt.Outcome)] = [:]

    /// Where events are stored; `nil` for an engine that keeps them in memory alone.
    var directory: URL?
    let clock: any DeliveryClock
    let diagnostics: DiagnosticStream
    let runtime: EngineRuntime
    /// Wakes the writer, which has to set its alarm.
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

    /// Whether events have to stay in the buffer: the directory is in use, suspended or not readable yet.
    var isUnavailable: Bool { isWaiting || isSuspended || suspendedStamps != nil }

    /// Whether the next group can be stored or kept in memory.
    var hasRoom: Bool {
        guard !isUnavailable else { return false }
        guard failure != nil else { return true }
        let size = outbox.buffer.size
        return size.events < OutboxKeeper.memory.events && size.bytes < OutboxKeeper.memory.bytes
    }

    /// Whether a failed storage is due to be tried again.
    var isAttemptDue: Bool { failure != nil && !isSuspended && clock.monotonicTime() >= nextAttempt }

    /// Whether a barrier is due.
    var isBarrierDue: Bool {
        guard failure == nil, let dirtySince else { return false }
        return clock.monotonicTime() >= dirtySince.advanced(by: OutboxKeeper.barrierInterval)
    }

    /// Whether the file has been closed and waits to be opened again.
    var isDetached: Bool { outbox.base is ClosedOutbox }

    /// Whether reads fail for now, so that leasing waits.
    var isReadable: Bool { !isUnavailable && (failure == nil || readFailures == 0) }

    /// When there is something to do although nothing is tracked.
    var nextDue: MonotonicInstant? {
        guard !isSuspended else { return nil }
        return failure == nil ? dirtySince?.advanced(by: OutboxKeeper.barrierInterval) : nextAttempt
    }

    /// Commits a change with those that the disk did not take earlier.
    ///
    /// On a full disk the reserve beside the file is given free for it.
    func commit(_ change: OutboxChange, barrier: Bool = false) throws(OutboxError) {
        guard ownsDirectory else { throw .vanished }
        try useReserve { () throws(OutboxError) in try outbox.commit(change, barrier: barrier) }
        dirtySince = barrier ? nil : dirtySince ?? clock.monotonicTime()
        succeeded()
    }

    /// Commits a change that has happened already, such as an acknowledgement; what the disk refuses is kept in memory.
    func record(_ change: OutboxChange, lanes: inout LaneTable) {
        guard !change.isEmpty else { return }
        guard failure == nil else {
            outbox.keep(change)
            // What was delivered from memory may have made room in it.
            return wake.signal()
        }
        do throws(OutboxError) {
            try commit(change)
        } catch {
            outbox.keep(change)
            handle(error, lanes: &lanes)
        }
    }

    /// Keeps a change in memory, with receipts that wait until it is stored.
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

    /// Deletes all that is stored of lanes, so that no byte of it stays on disk; afterwards their rows are as given.
    ///
    /// A change is made with it, and of what it removes no byte stays either. An error leaves everything as it was on
    /// the disk; what is returned says why bytes may be left, though nothing reads them any more.
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

    /// Deletes damaged files that were moved aside; returns why some may be left.
    ///
    /// They hold events of all purposes; their sound events are in the queue file.
    func removeDamaged() -> OutboxError? {
        do throws(OutboxError) {
            try held?.directory.removeSetAside()
            return nil
        } catch {
            return error
        }
    }

    /// Why events of an earlier run may be where they cannot be deleted now; `nil` if all can be reached.
    var unreachable: OutboxError? { directory != nil && (!hasFile || isUnavailable) ? failure ?? .missing : nil }

    /// Whether the directory's lock is still held; an engine in memory needs none.
    var ownsDirectory: Bool { !hasFile || held?.lock.isHeld == true }

    /// Makes everything stored so far survive a power loss.
    func makeBarrier(lanes: inout LaneTable) {
        guard failure == nil else { return }
        guard outbox.isPresent, ownsDirectory else { return handle(.vanished, lanes: &lanes) }
        do throws(OutboxError) {
            try makeSafe(lanes)
        } catch {
            return handle(error, lanes: &lanes)
        }
        if hasFile { held?.directory.ballast.fill() }
        // Whoever waits for the barrier need not wait for what it leaves to tidy up.
        needsMaintenance = true
        wake.signal()
    }

    /// Makes everything stored so far safe, with what memory has kept, and notes how far that is.
    func makeSafe(_ lanes: LaneTable) throws(OutboxError) {
        try commit(OutboxChange(), barrier: true)
        mark(lanes.rows)
    }

    /// Notes beside the file how far everything has come that a barrier has just made safe.
    func mark(_ rows: [StoredLane]) {
        if hasFile, let held { HighWaterMark(rows).write(queue: held.directory.queue) }
    }

    /// Tidies up after a barrier, once the writer has nothing else to do.
    func maintain(lanes: inout LaneTable) {
        needsMaintenance = false
        guard failure == nil else { return }
        do throws(OutboxError) {
            try outbox.maintain()
            // What was set aside as damaged keeps payload, and must not do so for ever.
            try held?.directory.trimSetAside(now: clock.wallTime())
        } catch {
            handle(error, lanes: &lanes)
        }
    }

    /// Resolves the receipts that wait for some events.
    func confirm(_ ids: some Sequence<EventID>, _ outcome: Receipt.Outcome) {
        guard !unconfirmed.isEmpty else { return }
        for id in ids {
            unconfirmed.removeValue(forKey: id)?.waiting.resume(returning: Receipt(id: id, outcome: outcome))
        }
    }

    /// Notes that an event is lost; its receipt says so once the storage has recorded the loss.
    ///
    /// Until then the file may still hold the event, and the next start may send it.
    func note(_ reason: DropReason, of id: EventID) {
        unconfirmed[id]?.outcome = .lost(reason)
    }

    /// Resolves the receipts that wait for events of lanes.
    func confirm(lanes: [Int], _ outcome: Receipt.Outcome) {
        confirm(unconfirmed.filter { lanes.contains($0.value.lane) }.map(\.key), outcome)
    }

    /// Closes the file and gives up the directory; receipts that still wait are answered.
    func close() {
        confirm(Array(unconfirmed.keys), .lost(.closed))
        outbox.close()
        outbox = BufferedOutbox(InMemoryOutbox())
        (hasFile, isClosed) = (false, true)
        giveUpDirectory()
    }

    /// Puts another outbox in the place of the one that was used so far.
    func use(_ outbox: BufferedOutbox) {
        self.outbox = outbox
    }

    private func useReserve(_ body: () throws(OutboxError) -> Void) throws(OutboxError) {
        do throws(OutboxError) {
            try body()
        } catch .full {
            guard hasFile, held?.directory.ballast.release() == true else { throw .full }
            try body()
        }
    }
}

/// What an error of the storage calls for.
extension OutboxKeeper {
    /// Does what an error calls for.
    func handle(_ error: OutboxError, lanes: inout LaneTable) {
        switch error {
        case .corrupt: rebuildIfDue(lanes: &lanes)
        case .vanished: replace(lanes: &lanes)
        // After a failed sync nobody knows what has reached the disk, and a second one would not tell.
        case _ where error.isFailedSync: replace(lanes: &lanes)
        default: failed(error)
        }
    }

    /// Notes a failed read; a part of the file that stays unreadable, through longer and longer waits, is damage.
    func handleRead(_ error: OutboxError, lanes: inout LaneTable) {
        // A flush may try again before its time, which tells nothing new.
        if readFailures == 0 || clock.monotonicTime() >= nextAttempt { readFailures += 1 }
        guard error != .corrupt, !isUnreadable else { return rebuildIfDue(lanes: &lanes) }
        failed(error, pause: OutboxKeeper.pause(afterReadFailures: readFailures))
    }

    /// Notes that a read has succeeded.
    func noteRead() {
        readFailures = 0
    }

    /// Whether reads have failed for so long that what still does counts as damaged.
    var isUnreadable: Bool { readFailures >= OutboxKeeper.mostReadFailures }

    /// How long to wait after a read has failed again: 2 s, and twice as long each time.
    static func pause(afterReadFailures failures: Int) -> Duration {
        min(firstPause * (1 << min(failures, 16)), longestPause)
    }

    /// Notes that the storage takes nothing for now; from here on everything is kept in memory.
    ///
    /// It is tried again after the pause, or without one after longer and longer pauses.
    func failed(_ error: OutboxError, pause: Duration? = nil) {
        // What fails then, fails because of that.
        guard !isSuspended || error == .suspended else { return }
        self.pause = pause ?? (failure == nil ? OutboxKeeper.firstPause : self.pause * 2)
        self.pause = min(self.pause, error == .directoryInUse ? OutboxKeeper.firstPause : OutboxKeeper.longestPause)
        nextAttempt = clock.monotonicTime().advanced(by: self.pause)
        if failure != error { diagnostics.send(.storageFailed(error)) }
        failure = error
        wake.signal()
    }

    /// Notes that everything is stored that was kept in memory.
    func succeeded() {
        guard failure != nil else { return }
        failure = nil
        diagnostics.send(.storageRecovered)
        for (id, receipt) in unconfirmed { confirm([id], receipt.outcome) }
    }

    /// Tries whether the storage can be used again.
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
