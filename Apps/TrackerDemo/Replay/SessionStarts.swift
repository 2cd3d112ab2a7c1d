import EventDelivery

/// When each session of the file began, as far as the file has been read.
///
/// It remembers the last ten to twenty thousand sessions that were seen, so that memory does not grow with the file. A
/// session that comes back after that counts as begun anew.
struct SessionStarts {
    private let capacity: Int
    private var current: [String: Timestamp] = [:]
    private var previous: [String: Timestamp] = [:]

    /// Creates an empty memory of at most twice so many sessions.
    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// The time of a session's first event, given the time of its present one.
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
