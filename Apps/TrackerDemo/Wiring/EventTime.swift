import EventDelivery
import Locks

/// The time of events that are tracked now: the present, or the time of the replayed row.
final class EventTime: Sendable {
    private let replayed = Mutex<Timestamp?>(nil)
    private let clock = SystemClock()

    /// The time of an event that is tracked now.
    var now: Timestamp { replayed.withLock { $0 } ?? clock.wallTime() }

    /// Sets the time of later events.
    func set(_ time: Timestamp) {
        replayed.withLock { $0 = time }
    }
}
