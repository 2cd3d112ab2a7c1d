import EventBuffer
import EventOutbox

/// The decision for each purpose until the user decides in this run.
///
/// It is the configuration's decision for the purpose, else the stored decision of an earlier run, else the
/// configuration's default.
struct EarlierConsent {
    private let words: [String: Consent]
    private let named: [ConsentPurpose: Consent]
    private let fallback: Consent

    /// Creates an instance from the stored decisions.
    ///
    /// - Parameters:
    ///   - stored: The stored decisions. If they are incomplete, the decision for a purpose without one is unknown.
    ///   - configuration: The configuration's decisions and its default.
    init(_ stored: ConsentFile.Decisions, configuration: DeliveryConfiguration) {
        // A stored decision that this version does not know does not count as consent.
        words = Dictionary(
            stored.words.map { ($0.purpose, Consent(rawValue: $0.consent) ?? .unknown) },
            uniquingKeysWith: { first, _ in first }
        )
        named = configuration.consent
        fallback = stored.isComplete ? configuration.defaultConsent : .unknown
    }

    /// The decision for each purpose that the user or the configuration has decided about.
    var said: [ConsentPurpose: Consent] {
        let words = words.map { (ConsentPurpose($0.key), $0.value) }
        return Dictionary(uniqueKeysWithValues: words).merging(named) { $1 }
    }

    /// Returns the decision for a purpose, or the default.
    func consent(for purpose: ConsentPurpose) -> Consent {
        named[purpose] ?? words[purpose.name] ?? fallback
    }
}

extension EventBuffer {
    /// Sets the purposes of the destinations' lanes, as `serve(_:after:said:initially:)` does for lanes.
    ///
    /// - Parameters:
    ///   - destinations: The destinations.
    ///   - stored: The greatest sequence number of a stored decision.
    ///   - said: The decision for each purpose that has one.
    ///   - consent: Returns the decision for a purpose that has none in this run.
    func serve(
        _ destinations: [any Destination],
        after stored: UInt64 = 0,
        said: [ConsentPurpose: Consent] = [:],
        initially consent: (ConsentPurpose) -> Consent
    ) {
        serve(destinations.map { ($0.lane, $0.purpose) }, after: stored, said: said, initially: consent)
    }
}
