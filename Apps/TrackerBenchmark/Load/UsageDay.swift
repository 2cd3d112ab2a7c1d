import EventDeliveryTesting

/// The times at which a user uses an app on one day.
struct UsageDay: Sendable {
    /// A period in the foreground.
    struct Session: Sendable, Equatable {
        /// The time at which the app enters the foreground.
        let start: Duration
        /// The times of the tracked events, in order.
        let events: [Duration]
        /// The time at which the app enters the background.
        let end: Duration
    }

    /// The sessions, in order.
    let sessions: [Session]

    /// An ordinary day: 200 events in five sessions of six minutes each, at random times within each session.
    ///
    /// The times are the same in each run.
    static let ordinary = UsageDay(
        starts: [.seconds(0), .seconds(4 * 3_600), .seconds(7 * 3_600), .seconds(10 * 3_600), .seconds(14 * 3_600)],
        length: .seconds(6 * 60),
        events: 40,
        seed: 38
    )

    /// Creates a day from its sessions.
    init(sessions: [Session]) {
        self.sessions = sessions
    }

    /// Creates a day with sessions of the same length, each with the same number of events.
    init(starts: [Duration], length: Duration, events: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        sessions = starts.map { start in
            let milliseconds = Int(length / .milliseconds(1))
            let times = (0..<events).map { _ in Int.random(in: 0..<milliseconds, using: &random) }
            return Session(start: start, events: times.sorted().map { start + .milliseconds($0) }, end: start + length)
        }
    }

    /// The times of all events, in order.
    var events: [Duration] { sessions.flatMap(\.events) }
    /// The end of the last session.
    var end: Duration { sessions.last?.end ?? .zero }
}
