import CoreTracker
import EventOutbox
import EventTracking

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

    /// Whether stored events can be read and sent, and the bytes of denied and erased events can be deleted.
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

/// The state of the queue file, from its opening until the directory is released.
///
/// A replacement of the file keeps it.
struct QueueFileState {
    /// Whether the last changes may be missing on disk although the file can be read.
    var isSuspect = false
    /// The time of the oldest commit since the last barrier.
    var dirtySince: MonotonicInstant?
    /// Whether the disk had no room for the disk reserve.
    var lacksReserve = false
    /// Whether the file needs maintenance when the writer is idle.
    var needsMaintenance = false
    /// Whether a replacement of the file is complete, and the outbox has only the changes since then.
    var hasReplacement = false
}

/// The contents of an outbox when it is opened.
struct OpenedOutbox {
    /// All rows except the segments.
    var rows: OutboxRows
    /// Whether the outbox was created now.
    var isNew = false
    /// The number of missing events of each lane, if the outbox was damaged.
    var losses: [LaneID: Int]?
}

extension OutboxError {
    /// Whether a directory with this error stays unusable while the process runs.
    var isPermanent: Bool {
        switch self {
        case .notLockable, .foreign, .newerVersion, .olderVersion: true
        default: false
        }
    }

    /// Whether a file system without space or without room for another file may have caused the error.
    ///
    /// An exhausted quota is not always reported as a full disk.
    var mayLackSpace: Bool {
        switch self {
        case .full, .unavailable, .failed: !isFailedSync
        default: false
        }
    }
}
