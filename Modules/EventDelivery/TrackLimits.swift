/// How many events of a name are taken at all: sampling by session, and a cap on the rate.
public struct TrackLimits: Sendable, Hashable {
    /// The share of sessions, from 0 to 1, whose events of a name are taken; a name without an entry is taken always.
    ///
    /// A session is either in or out for a name, so that funnels stay whole.
    public var sampling: [String: Double]
    /// The most events of one name that are taken in a minute; `nil` for no cap.
    public var eventsPerMinute: Int?

    /// Creates limits; shares are clamped to 0…1, and a rate below 0 is taken as 0.
    public init(sampling: [String: Double] = [:], eventsPerMinute: Int? = nil) {
        self.sampling = sampling.mapValues { $0.isNaN ? 1 : min(1, max(0, $0)) }
        self.eventsPerMinute = eventsPerMinute.map { max(0, $0) }
    }

    /// No sampling and no cap.
    public static let none = TrackLimits()
}
