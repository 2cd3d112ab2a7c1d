/// The visits of the user: the times at which the app is active.
///
/// Several activations without a background phase between them, such as after a system dialog, are one visit. Each
/// event of the life cycle is taken once in a process, so several observers of the app do not repeat it.
struct Visits: Sendable {
    private var start: MonotonicInstant?
    /// The duration of all ended visits.
    private var sum = Duration.zero
    private var count = 0
    private var isOpeningTaken = false
    private var hasCheckedVersion = false
    /// The duration of the last visit, until it is taken.
    private var ended: Duration?

    /// Whether there was a visit.
    var hasBegun: Bool { count > 0 }

    /// Whether the app is active.
    var isOpen: Bool { start != nil }

    /// Begins a visit.
    ///
    /// Returns `false` during a visit.
    mutating func begin(at now: MonotonicInstant) -> Bool {
        guard start == nil else { return false }
        (start, isOpeningTaken, ended) = (now, false, nil)
        count += 1
        return true
    }

    /// Ends the visit.
    ///
    /// Returns `false` if there is none.
    mutating func end(at now: MonotonicInstant) -> Bool {
        guard let opened = start else { return false }
        sum += opened.duration(to: now)
        ended = isOpeningTaken ? opened.duration(to: now) : nil
        start = nil
        return true
    }

    /// Returns the duration of all visits until now.
    func activeTime(at now: MonotonicInstant) -> Duration { sum + (start?.duration(to: now) ?? .zero) }

    /// Takes the beginning of the visit.
    ///
    /// - Returns: Whether the visit is the first of the process, or `nil` if there is no visit or its beginning was
    ///   taken before.
    mutating func takeOpening() -> Bool? {
        guard start != nil, !isOpeningTaken else { return nil }
        isOpeningTaken = true
        return count == 1
    }

    /// Takes the duration of the last visit whose beginning was taken.
    mutating func takeEnding() -> Duration? {
        defer { ended = nil }
        return ended
    }

    /// Takes the check of the app's version.
    ///
    /// Returns `false` if it was taken before.
    mutating func takeVersionCheck() -> Bool {
        defer { hasCheckedVersion = true }
        return !hasCheckedVersion
    }
}
