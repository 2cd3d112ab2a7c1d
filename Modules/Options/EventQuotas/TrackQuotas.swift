/// Quotas on the events of one name: sampling by session or installation, and a maximum rate.
///
/// A quotas document, which the app passes to `DeliveryEngine.setQuotas(document:)`, precedes them.
public struct TrackQuotas: Sendable, Equatable {
    /// The share of sessions or installations, from 0 to 1, whose events of a name are accepted.
    ///
    /// Names without an entry are always accepted.
    ///
    /// One decision is made for each unit, and compared with each share: a unit in a smaller sample is also in every
    /// larger one. Events with the same share are therefore from the same units, which keeps funnels complete.
    public var sampling: [String: Double] {
        didSet { sampling = TrackQuotas.shares(sampling) }
    }
    /// The unit of sampling.
    public var samplingUnit: SamplingUnit
    /// The maximum number of accepted events of one name per minute, or `nil` for no limit.
    ///
    /// If there are more than 4,096 names in a minute, all further names share one maximum.
    public var eventsPerMinute: Int? {
        didSet { eventsPerMinute = eventsPerMinute.map { max(0, $0) } }
    }

    /// Creates quotas.
    ///
    /// - Parameters:
    ///   - sampling: The shares of units by event name, clamped to 0…1.
    ///   - samplingUnit: The unit of sampling.
    ///   - eventsPerMinute: The maximum number of events of one name per minute. A number below 0 becomes 0.
    public init(
        sampling: [String: Double] = [:],
        samplingUnit: SamplingUnit = .session,
        eventsPerMinute: Int? = nil
    ) {
        self.sampling = TrackQuotas.shares(sampling)
        self.samplingUnit = samplingUnit
        self.eventsPerMinute = eventsPerMinute.map { max(0, $0) }
    }

    /// Returns shares within 0…1, with 1 for each that is not a number.
    private static func shares(_ shares: [String: Double]) -> [String: Double] {
        shares.mapValues { $0.isNaN ? 1 : min(1, max(0, $0)) }
    }

    /// No sampling and no maximum rate.
    public static let none = TrackQuotas()
}

/// A group of events that sampling accepts or drops as a whole.
///
/// The raw value is its name in a quotas document.
public enum SamplingUnit: String, Sendable, Hashable, CaseIterable, Codable {
    /// The events of one session.
    ///
    /// Events without a session are sampled by their installation.
    case session
    /// The events of one installation, in all of its sessions.
    case installation
}
