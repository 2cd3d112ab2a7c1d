import EventBuffer
import EventOutbox

/// What holds for a purpose until something is said about it: what the configuration names, the last word of an earlier
/// run, or the configuration's default.
struct EarlierConsent {
    private let words: [String: Consent]
    private let named: [ConsentPurpose: Consent]
    private let fallback: Consent

    /// Creates it from the stored decisions; if they are incomplete, a purpose without one is unknown.
    init(_ stored: ConsentFile.Decisions, configuration: DeliveryConfiguration) {
        // A stored decision that this version does not know is not a consent.
        words = Dictionary(
            stored.words.map { ($0.purpose, Consent(rawValue: $0.consent) ?? .unknown) },
            uniquingKeysWith: { first, _ in first }
        )
        named = configuration.consent
        fallback = stored.isComplete ? configuration.defaultConsent : .unknown
    }

    /// What has been said about each purpose.
    var said: [ConsentPurpose: Consent] {
        let words = words.map { (ConsentPurpose($0.key), $0.value) }
        return Dictionary(uniqueKeysWithValues: words).merging(named) { $1 }
    }

    /// What holds for a purpose.
    func consent(for purpose: ConsentPurpose) -> Consent {
        named[purpose] ?? words[purpose.name] ?? fallback
    }
}

extension Intake {
    /// Sets the purposes of the destinations' lanes, as `serve(_:after:said:initially:)` does for lanes.
    func serve(
        _ destinations: [any Destination],
        after stored: UInt64 = 0,
        said: [ConsentPurpose: Consent] = [:],
        initially consent: (ConsentPurpose) -> Consent
    ) {
        serve(destinations.map { ($0.lane, $0.purpose) }, after: stored, said: said, initially: consent)
    }
}
