/// Limits on the events of one name: sampling by session, and a maximum rate.
///
/// A limits document, which the app passes to `DeliveryEngine.setLimits(document:)`, precedes them.
public struct TrackLimits: Sendable, Hashable {
    /// The share of sessions, from 0 to 1, whose events of a name are accepted.
    ///
    /// Names without an entry are always accepted.
    ///
    /// For each name, a session is either included or excluded as a whole, which keeps funnels complete.
    public var sampling: [String: Double]
    /// The maximum number of accepted events of one name per minute, or `nil` for no limit.
    public var eventsPerMinute: Int?

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - sampling: The shares of sessions by event name, clamped to 0…1.
    ///   - eventsPerMinute: The maximum number of events of one name per minute. A number below 0 becomes 0.
    public init(sampling: [String: Double] = [:], eventsPerMinute: Int? = nil) {
        self.sampling = sampling.mapValues { $0.isNaN ? 1 : min(1, max(0, $0)) }
        self.eventsPerMinute = eventsPerMinute.map { max(0, $0) }
    }

    /// No sampling and no maximum rate.
    public static let none = TrackLimits()
}
