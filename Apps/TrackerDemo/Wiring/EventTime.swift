import EventDelivery
import Locks

/// When the events happen that are tracked now: the present, or the time of the row that is replayed.
final class EventTime: Sendable {
    private let replayed = Mutex<Timestamp?>(nil)
    private let clock = SystemClock()

    /// The time of an event that is tracked now.
    var now: Timestamp { replayed.withLock { $0 } ?? clock.wallTime() }

    /// Sets the time of the events that are tracked from now on.
    func set(_ time: Timestamp) {
        replayed.withLock { $0 = time }
    }
}
