import EventOutbox
import EventTracking

/// A lane's schedule, and the stored events that are due.
struct LaneSchedule: Sendable {
    private let rule: SendingSchedule
    /// The sequence number below which stored events are due.
    private var dueNumber: Int64 = 0
    /// Whether the events of other lanes become due with the lane's next request.
    private var wakesOthers = false

    init(_ rule: SendingSchedule) {
        self.rule = rule
    }

    /// Whether events are sent at once.
    var isImmediate: Bool { rule.isImmediate }

    /// Whether waiting events or bytes suffice for a request.
    func isEnough(events: Int, bytes: Int) -> Bool { events >= rule.events || bytes >= rule.bytes }

    /// Makes events due, and the events of other lanes with this lane's next request.
    ///
    /// - Parameter number: The sequence number below which events are due.
    mutating func start(below number: Int64) {
        dueNumber = number
        wakesOthers = true
    }

    /// Makes events due, because of a flush or of another lane's request.
    ///
    /// - Parameter number: The sequence number below which events are due.
    mutating func becomeDue(below number: Int64) { dueNumber = max(dueNumber, number) }

    /// Returns, once, whether the events of other lanes become due with the lane's request.
    mutating func takeWake() -> Bool {
        defer { wakesOthers = false }
        return isImmediate || wakesOthers
    }

    /// The time at which the schedule sends an event, or `nil` if the event is due.
    ///
    /// Events stored before a restart of the device do not wait.
    func dueTime(of segment: SegmentSummary, at now: StoredMoment) -> MonotonicInstant? {
        guard !isImmediate, segment.place.number >= dueNumber else { return nil }
        guard segment.stored.boot == now.boot, segment.stored.monotonic <= now.monotonic else { return nil }
        return segment.stored.monotonic.advanced(by: rule.interval)
    }

    /// Returns the time to wait for, or makes all stored events due if it has passed.
    ///
    /// - Parameters:
    ///   - segment: The oldest segment without a batch.
    ///   - number: The sequence number of the lane's next stored event.
    ///   - now: The current time.
    mutating func endOfWait(of segment: SegmentSummary, below number: Int64, at now: StoredMoment) -> MonotonicInstant?
    {
        guard segment.place.number >= dueNumber else { return nil }
        if let due = dueTime(of: segment, at: now), due > now.monotonic { return due }
        start(below: number)
        return nil
    }
}
