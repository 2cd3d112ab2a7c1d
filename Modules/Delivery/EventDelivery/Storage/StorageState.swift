import CoreTracker
import EventBuffer

/// The state of an outbox's storage.
enum StorageState: Equatable {
    /// The directory cannot be used yet: another process uses it, the app has suspended the storage, or the device was
    /// not unlocked since it started. Events stay in the event buffer, and nothing is sent.
    case waiting(OutboxError, retryAt: MonotonicInstant)
    /// Changes are stored in the directory.
    case ready
    /// Events are in memory only: there is no directory, or it cannot be used for the given reason.
    ///
    /// With a time, the directory can be tried again.
    case inMemory(OutboxError?, retryAt: MonotonicInstant?)
    /// The disk refuses changes, which are kept in memory.
    case refusing(OutboxError, retryAt: MonotonicInstant)
    /// Stored events cannot be read. Changes are kept in memory, and nothing is sent.
    case unreadable(OutboxError, retryAt: MonotonicInstant)
    /// The engine is closed.
    case closed

    /// The error that prevents storing, or `nil`.
    var failure: OutboxError? {
        switch self {
        case .waiting(let error, _), .refusing(let error, _), .unreadable(let error, _): error
        case .inMemory(let error, _): error
        case .ready, .closed: nil
        }
    }

    /// Whether changes can be committed now.
    var acceptsChanges: Bool {
        switch self {
        case .ready, .inMemory: true
        case .waiting, .refusing, .unreadable, .closed: false
        }
    }

    /// Whether stored events can be read, and sent.
    var isReadable: Bool {
        switch self {
        case .ready, .inMemory, .refusing: true
        case .waiting, .unreadable, .closed: false
        }
    }

    /// The time of the next attempt, if any.
    var retryAt: MonotonicInstant? {
        switch self {
        case .waiting(_, let instant), .refusing(_, let instant), .unreadable(_, let instant): instant
        case .inMemory(_, let instant): instant
        case .ready, .closed: nil
        }
    }
}

/// The waits between attempts to use the storage, and the failures that are counted for them.
struct StorageBackoff {
    /// The number of consecutive failed reads after which an unreadable part of the file counts as damaged.
    static let maximumReadFailures = 4
    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(60)

    /// The number of consecutive failures to read the file, or to open it.
    private(set) var readFailures = 0
    private var pause = Duration.zero
    private var lastReplacement: MonotonicInstant?

    /// Whether reads have failed so often that unreadable parts count as damaged.
    var treatsUnreadableAsDamaged: Bool { readFailures >= StorageBackoff.maximumReadFailures }

    /// Returns the time of the next attempt after a failure.
    ///
    /// The wait starts with a second and doubles with each consecutive failure, up to a minute. The lock of a directory
    /// in use is tried each second.
    mutating func failed(_ error: OutboxError, at now: MonotonicInstant) -> MonotonicInstant {
        pause = min(max(StorageBackoff.firstPause, pause * 2), StorageBackoff.longestPause)
        if error == .directoryInUse { pause = StorageBackoff.firstPause }
        return now.advanced(by: pause)
    }

    /// Returns the time of the next attempt after a failed read: after 2 s, 4 s, and so on, up to a minute.
    ///
    /// - Parameters:
    ///   - isDue: Whether the attempt was due. An earlier one, such as that of a flush, does not count.
    ///   - now: The current time.
    mutating func failedToRead(isDue: Bool, at now: MonotonicInstant) -> MonotonicInstant {
        if readFailures == 0 || isDue { readFailures += 1 }
        pause = min(StorageBackoff.firstPause * (1 << min(readFailures, 16)), StorageBackoff.longestPause)
        return now.advanced(by: pause)
    }

    /// Records a successful read.
    mutating func succeededToRead() { readFailures = 0 }

    /// Records a successful change.
    mutating func succeeded() { pause = .zero }

    /// Whether the file may be replaced now: at most once a second.
    mutating func mayReplace(at now: MonotonicInstant) -> Bool {
        if let lastReplacement, lastReplacement.duration(to: now) < StorageBackoff.firstPause { return false }
        lastReplacement = now
        return true
    }
}

/// The receipts of events that are in memory until they can be stored.
struct WaitingReceipts {
    /// A receipt, with the properties of its event.
    struct Entry {
        let lane: Int
        let laneID: LaneID
        let user: UserHash
        let decision: UInt64
        /// The caller that waits, or `nil` if only the listeners of outcomes do.
        let waiting: PendingReceipt?
        var outcome = Receipt.Outcome.persisted
    }

    private var entries: [EventID: Entry] = [:]

    /// Adds the receipt of an event.
    mutating func add(_ id: EventID, _ entry: Entry) { entries[id] = entry }

    /// Changes the outcome of the events that match a condition.
    ///
    /// The receipts are completed when the change is stored. Until then the file may still contain the events, and the
    /// next start may send them.
    mutating func lose(_ reason: DropReason, where isLost: (Entry) -> Bool) {
        for (id, entry) in entries where isLost(entry) { entries[id]?.outcome = .lost(reason) }
    }

    /// Changes the outcome of an event.
    mutating func lose(_ reason: DropReason, _ id: EventID) { entries[id]?.outcome = .lost(reason) }

    /// Completes the receipts of events that were delivered, which no longer need to be stored.
    mutating func delivered(_ ids: some Sequence<EventID>) {
        guard !entries.isEmpty else { return }
        for id in ids {
            entries.removeValue(forKey: id)?.waiting?.resume(returning: Receipt(id: id, outcome: .persisted))
        }
    }

    /// Completes all receipts.
    ///
    /// - Parameter outcome: The outcome of each event, or `nil` for the outcome that its receipt has.
    mutating func completeAll(_ outcome: Receipt.Outcome? = nil) {
        for (id, entry) in entries {
            entry.waiting?.resume(returning: Receipt(id: id, outcome: outcome ?? entry.outcome))
        }
        entries = [:]
    }

    /// The events that are not lost, in the order of their ids.
    var persisted: [(id: EventID, lane: LaneID)] {
        entries.filter { $0.value.outcome == .persisted }.map { ($0.key, $0.value.laneID) }.sorted { $0.id < $1.id }
    }
}
