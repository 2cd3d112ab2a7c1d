import EventDelivery

/// The start time of each session that was read.
///
/// It keeps the last 10,000 to 20,000 sessions, so memory does not grow with the file. An older session that appears
/// again starts anew.
struct SessionStarts {
    private let capacity: Int
    private var current: [String: Timestamp] = [:]
    private var previous: [String: Timestamp] = [:]

    /// Creates an empty collection of at most twice `capacity` sessions.
    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Returns the time of a session's first event, which is `time` for a new session.
    mutating func start(of session: String, at time: Timestamp) -> Timestamp {
        if let start = current[session] { return start }
        if current.count >= capacity {
            previous = current
            current = [:]
        }
        let start = previous[session] ?? time
        current[session] = start
        return start
    }
}
