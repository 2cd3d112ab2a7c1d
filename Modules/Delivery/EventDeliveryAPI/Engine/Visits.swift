/// The visits of the user: the times at which the app is active.
///
/// Several activations without a background phase between them, such as after a system dialog, are one visit. Each
/// event of the life cycle is taken once in a process, so several observers of the app do not repeat it.
struct Visits: Sendable {
    private var start: MonotonicInstant?
    private var count = 0
    private var isOpeningTaken = false
    private var hasCheckedVersion = false
    /// The duration of the last visit, until it is taken.
    private var ended: Duration?

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
        ended = isOpeningTaken ? opened.duration(to: now) : nil
        start = nil
        return true
    }

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

/// The life cycle of the app, which the module for apps reports.
extension DeliveryEngine {
    /// Records that the app is in the foreground, but not yet active.
    package func enterForeground() {
        buffer.identity.enterForeground(at: buffer.clock.monotonicTime(), time: buffer.now, ids: buffer.ids)
    }

    /// Records that the app is active, which begins a visit.
    package func beginVisit() {
        buffer.identity.beginVisit(at: buffer.clock.monotonicTime(), time: buffer.now, ids: buffer.ids)
    }

    /// Records that the app is in the background, which ends the visit.
    package func enterBackground() {
        buffer.identity.enterBackground(at: buffer.clock.monotonicTime())
    }

    /// Whether the app is active.
    package var isVisited: Bool { buffer.identity.withVisits { $0.isOpen } }

    /// Takes the beginning of the current visit, once in the process.
    ///
    /// - Returns: Whether the visit is the first of the process, or `nil` if there is none to take.
    package func takeOpening() -> Bool? { buffer.identity.withVisits { $0.takeOpening() } }

    /// Takes the duration of the last visit, once in the process.
    package func takeEnding() -> Duration? { buffer.identity.withVisits { $0.takeEnding() } }

    /// Takes the check of the app's version, once in the process.
    package func takeVersionCheck() -> Bool { buffer.identity.withVisits { $0.takeVersionCheck() } }
}
