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
    /// The file behind the outbox; `nil` while there is none.
    var file: OutboxFile?
    /// Whether it was left by an earlier run, or took the place of such a one.
    var holdsEarlier = false
    /// The directory as it was found for the opening.
    var found: OutboxDirectory?
    /// Files of ended processes that are still to be taken over; their owner locks are held.
    var orphans: [Orphan] = []
    /// The names of files whose contents other files of the directory have taken over.
    var adopted: Set<String> = []
    /// Files that have not been looked at yet.
    var unopened: QueueScan?
    /// Files of ended processes that are damaged or cannot be read for now.
    var leftFiles: [LeftFile] = []
    /// Files of ended processes that no retry of this process reaches, by path, each with the reason.
    var outOfReach: [String: OutboxError] = [:]
    /// The names of files whose contents memory holds, since there was no room for a new file.
    var superseded: Set<String> = []
    /// When files of ended processes are looked for again that could not be; `nil` where all were found.
    var nextSearch: MonotonicInstant?
    /// Whether the app has suspended the storage: no file is touched until it resumes it.
    var isSuspended = false
    /// What is known of the file that was given back with the suspension, until it is taken up again.
    var suspended: SuspendedFile?
    /// Whether the last changes may not have reached the disk, whatever the file says.
    var isSuspect = false
    /// The installation's id.
    var installation: StoredInstallation
    var wordsSeen: ConsentFile.Modification?
    var erasuresSeen: ConsentFile.Modification?
    /// How far all that the outbox holds is cleared; `nil` where that is not known yet.
    var clearance: Clearance?
    /// The numbers of the last denials that are stored beside the queues, by purpose.
    var denials: [String: UInt64] = [:]
    /// The purposes about which a denial could not delete yet all that ended processes have left.
    var unfinished: Set<String> = []
    /// How many events of ended processes were erased when their files were taken over.
    var erasedOnAdoption = 0
    private var nextAttempt = MonotonicInstant(nanoseconds: .min)
    private var pause = Duration.zero
    private var lastRebuild: MonotonicInstant?
    private var readFailures = 0
    /// Receipts of events that are kept in memory until the storage takes them.
    private var unconfirmed: [EventID: (lane: Int, waiting: PendingReceipt, outcome: Receipt.Outcome)] = [:]

    let directory: URL?
    let clock: any DeliveryClock
    let diagnostics: DiagnosticStream
    let newID: () -> EventID
    /// Wakes the writer, which has to set its alarm.
    let wake: WakeSignal

    init(
        directory: URL?,
        clock: any DeliveryClock,
        diagnostics: DiagnosticStream,
        wake: WakeSignal,
        runtime: EngineRuntime,
        newID: @escaping () -> EventID
    ) {
        installation = StoredInstallation {
            var random = runtime.generator
            return Installation.makeID(using: &random)
        }
        self.directory = directory
        self.clock = clock
        self.diagnostics = diagnostics
        self.wake = wake
        self.newID = newID
    }

    /// Whether the next group can be stored or kept in memory.
    var hasRoom: Bool {
        guard failure != nil else { return true }
        let size = outbox.buffer.size
        return size.events < OutboxKeeper.memory.events && size.bytes < OutboxKeeper.memory.bytes
    }

    /// Whether a failed storage is due to be tried again.
    var isAttemptDue: Bool { failure != nil && !isSuspended && clock.monotonicTime() >= nextAttempt }

    /// Whether files of ended processes are to be looked for again.
    var isSearchDue: Bool { failure == nil && nextSearch.map { clock.monotonicTime() >= $0 } == true }

    /// Whether a barrier is due.
    var isBarrierDue: Bool {
        guard failure == nil, let dirtySince else { return false }
        return clock.monotonicTime() >= dirtySince.advanced(by: OutboxKeeper.barrierInterval)
    }

    /// Whether the file has been closed and waits to be opened again.
    var isDetached: Bool { outbox.base is ClosedOutbox }

    /// Whether reads fail for now, so that leasing waits.
    var isReadable: Bool { failure == nil || readFailures == 0 && !isSuspended }

    /// When there is something to do although nothing is tracked.
    var nextDue: MonotonicInstant? {
        guard !isSuspended else { return nil }
        let storage = failure == nil ? dirtySince?.advanced(by: OutboxKeeper.barrierInterval) : nextAttempt
        let left = failure == nil && file != nil ? leftFiles.map(\.notBefore).min() : nil
        return [storage, left, failure == nil ? nextSearch : nil].compactMap { $0 }.min()
    }

    /// Commits a change with those that the disk did not take earlier.
    ///
    /// On a full disk the reserve beside the file is given free for it.
    func commit(_ change: OutboxChange, barrier: Bool = false) throws(OutboxError) {
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
            // Damaged files keep events of all purposes; what was sound in them has been brought over.
            try file?.directory.removeSetAside()
        } catch {
            failed(error)
            return error
        }
        return nil
    }

    /// Why stored events may lie where they cannot be reached now; `nil` when there are none.
    var unreachable: OutboxError? {
        let obstacle = failure ?? leftFiles.first?.cause ?? (orphans.isEmpty ? nil : .busy)
        let isIncomplete = file == nil && directory != nil || !orphans.isEmpty || !leftFiles.isEmpty
        return isIncomplete || !superseded.isEmpty ? obstacle : nil
    }

    /// Why events may lie in a file that no retry of this process reaches; `nil` when there is none.
    var beyondReach: OutboxError? { outOfReach.min { $0.key < $1.key }?.value }

    /// Whether files of ended processes may still have to be taken over.
    var hasLeft: Bool { !orphans.isEmpty || !leftFiles.isEmpty || hasUnopened }

    /// Whether there are files that have not been looked at yet.
    var hasUnopened: Bool { unopened.map { $0.remaining > 0 } ?? false }

    /// Whether a file of an ended process could not be read and is left to the next start.
    var hasGivenUp: Bool {
        outOfReach.values.contains { error in
            switch error {
            case .newerVersion, .foreign: false
            default: true
            }
        }
    }

    /// Makes everything stored so far survive a power loss.
    func makeBarrier(lanes: inout LaneTable) {
        guard failure == nil else { return }
        guard outbox.isPresent else { return handle(.vanished, lanes: &lanes) }
        do throws(OutboxError) {
            try makeSafe(lanes)
        } catch {
            return handle(error, lanes: &lanes)
        }
        file?.ballast.fill()
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
        if let file { HighWaterMark(rows).write(queue: file.path) }
    }

    /// Tidies up after a barrier, once the writer has nothing else to do.
    func maintain(lanes: inout LaneTable) {
        needsMaintenance = false
        guard failure == nil else { return }
        do throws(OutboxError) {
            try outbox.maintain()
            // What was set aside as damaged keeps payload, and must not do so for ever.
            try file?.directory.trimSetAside(now: clock.wallTime())
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

    /// Closes the file; receipts that still wait are answered, and what was not adopted is left to the next start.
    func close() {
        confirm(Array(unconfirmed.keys), .lost(.closed))
        closeOrphans()
        outbox.close()
        outbox = BufferedOutbox(InMemoryOutbox())
        file = nil
    }

    /// Puts another outbox in the place of the one that was used so far.
    func use(_ outbox: BufferedOutbox) {
        self.outbox = outbox
    }

    private func useReserve(_ body: () throws(OutboxError) -> Void) throws(OutboxError) {
        do throws(OutboxError) {
            try body()
        } catch .full {
            guard let ballast = file?.ballast, ballast.release() else { throw .full }
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
    var isUnreadable: Bool { readFailures >= LeftFile.mostFailures }

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
        self.pause = min(self.pause, OutboxKeeper.longestPause)
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
        guard let failure, !isSuspended else { return }
        if file == nil, directory != nil { return reopen(lanes: &lanes) }
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

/// A file of an ended process that could not be taken over at once: it is damaged, or it cannot be read for now.
struct LeftFile {
    /// Reads that fail in a row, after which what cannot be read counts as damaged.
    static let mostFailures = 4

    let path: String
    /// What keeps it from being taken over.
    var cause: OutboxError
    /// How often reading it has failed.
    var failures = 0
    /// When it is tried again.
    var notBefore = MonotonicInstant(nanoseconds: .min)

    /// Whether it has to be salvaged rather than opened.
    var isDamaged: Bool { cause == .corrupt || isUnreadable }

    /// Whether it has been unreadable for so long that what still is counts as damaged.
    var isUnreadable: Bool { failures >= LeftFile.mostFailures }
}
