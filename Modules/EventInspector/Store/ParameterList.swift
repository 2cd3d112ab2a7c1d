import LoopbackCollector

/// The keys of one delivery, each with where its value comes from.
struct ParameterList {
    /// Where a value comes from.
    enum Origin: String {
        /// The event has it.
        case own
        /// The product's default.
        case fallback = "default"
        /// The event has it, and the product's default gave way.
        case override = "own over default"
        /// The sender adds it to each event.
        case envelope
        /// Nobody has told: the wire does not.
        case unknown = ""
    }

    /// One key.
    struct Parameter {
        let key: String
        let value: CollectedValue
        let origin: Origin
    }

    /// The parameters, the event's own first.
    let parameters: [Parameter]

    /// Reads a delivery; without its sender's word nothing is said of origins but the envelope's.
    init(_ sighting: Sighting) {
        let envelope = (sighting.facts?.envelope ?? []).map { key, value in
            Parameter(key: key, value: value, origin: .envelope)
        }
        guard let report = sighting.report, let own = CollectedValue(Array(report.own.utf8)) else {
            let wire = sighting.facts?.parameters?.members ?? []
            parameters = wire.map { Parameter(key: $0.key, value: $0.value, origin: .unknown) } + envelope
            return
        }
        let defaults = CollectedValue(Array(report.defaults.utf8)) ?? .object([:])
        parameters =
            own.members.map { key, value in
                Parameter(key: key, value: value, origin: defaults[key] == nil ? .own : .override)
            }
            + defaults.members.filter { own[$0.key] == nil }.map { key, value in
                Parameter(key: key, value: value, origin: .fallback)
            } + envelope
    }
}
