/// The rule by which another tracking SDK sends its events, with its documented default values.
///
/// A rule is a model: no code of the SDK runs. An app with two services has an SDK for each, with its own queue and
/// timer. Both timers start with the session, so the requests of both SDKs share their wake-ups. If the timers ran at
/// different times, two SDKs would need up to twice as many.
struct PeerRule: Sendable {
    /// The events of a request.
    struct Batch: Sendable, Equatable {
        /// The time of the request.
        let time: Duration
        /// The positions of the events in ``UsageDay/events``.
        let events: Range<Int>
    }

    /// The name of the SDK.
    let name: String
    /// The number of waiting events that triggers a request.
    let events: Int
    /// The interval of the timer, which sends all waiting events.
    let interval: Duration

    /// Segment's rule: 20 events or 30 s.
    static let segment = PeerRule(name: "Segment", events: 20, interval: .seconds(30))
    /// Mixpanel's rule: 50 events or 60 s.
    static let mixpanel = PeerRule(name: "Mixpanel", events: 50, interval: .seconds(60))
    /// All modelled rules.
    static let all = [segment, mixpanel]

    /// Returns the requests of one SDK: if enough events wait, at each tick of the timer if any event waits, and when
    /// the app enters the background.
    func batches(of day: UsageDay) -> [Batch] {
        var (batches, sent, tracked) = ([Batch](), 0, 0)
        func send(at time: Duration) {
            guard tracked > sent else { return }
            batches.append(Batch(time: time, events: sent..<tracked))
            sent = tracked
        }
        for session in day.sessions {
            var tick = session.start + interval
            func fireTimer(until time: Duration) {
                while tick <= time {
                    send(at: tick)
                    tick += interval
                }
            }
            for time in session.events {
                fireTimer(until: time)
                tracked += 1
                if tracked - sent >= events { send(at: time) }
            }
            fireTimer(until: session.end)
            send(at: session.end)
        }
        return batches
    }
}
