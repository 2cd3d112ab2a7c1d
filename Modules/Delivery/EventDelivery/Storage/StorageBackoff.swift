import EventTracking

/// The waits between attempts to use the storage, and the failures counted for them.
struct StorageBackoff {
    /// The number of consecutive failed reads after which an unreadable part of the file counts as damaged.
    static let maximumReadFailures = 4
    private static let firstPause: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(60)
    /// The longest pause while a decision waits.
    private static let longestPressingPause: Duration = .seconds(5)

    /// The number of consecutive failures to read the file, or to open it.
    private(set) var readFailures = 0
    /// The time of the next attempt after the last failure if a decision waits for it.
    private(set) var pressing = MonotonicInstant(nanoseconds: .max)
    /// The time from which the next failed read counts.
    private var readRetryAt = MonotonicInstant(nanoseconds: .min)
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
        return next(after: now)
    }

    /// Returns the time of the next attempt after a failed read: after 2 s, 4 s, and so on, up to a minute.
    ///
    /// An earlier attempt, for example by a flush, does not count.
    mutating func failedToRead(at now: MonotonicInstant) -> MonotonicInstant {
        guard now >= readRetryAt else { return readRetryAt }
        readFailures += 1
        pause = min(StorageBackoff.firstPause * (1 << min(readFailures, 16)), StorageBackoff.longestPause)
        readRetryAt = next(after: now)
        return readRetryAt
    }

    private mutating func next(after now: MonotonicInstant) -> MonotonicInstant {
        pressing = now.advanced(by: min(pause, StorageBackoff.longestPressingPause))
        return now.advanced(by: pause)
    }

    /// Records a successful read.
    mutating func succeededToRead() { (readFailures, readRetryAt) = (0, MonotonicInstant(nanoseconds: .min)) }

    /// Records a successful change.
    mutating func succeeded() { pause = .zero }

    /// Whether the file may be replaced now: at most once a second.
    mutating func mayReplace(at now: MonotonicInstant) -> Bool {
        if let lastReplacement, lastReplacement.duration(to: now) < StorageBackoff.firstPause { return false }
        lastReplacement = now
        return true
    }
}
