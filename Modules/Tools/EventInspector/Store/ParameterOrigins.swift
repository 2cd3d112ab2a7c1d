import LoopbackCollector

/// The parameters of a delivery, with the origins of their values.
struct ParameterOrigins {
    /// The origin of a value.
    enum Origin: String {
        /// The event.
        case own
        /// The product's defaults.
        case fallback = "default"
        /// The event, which overrides the product's default.
        case override = "own over default"
        /// The envelope, which the sender adds to each event.
        case envelope
        /// Unknown, because the sender has not reported the event.
        case unknown = ""
    }

    /// A parameter.
    struct Parameter {
        let key: String
        let value: CollectedValue
        let origin: Origin
    }

    /// The parameters.
    ///
    /// The event's parameters come first.
    let parameters: [Parameter]

    /// Creates the list of a delivery.
    ///
    /// Without the sender's report, only the origin of the envelope is known.
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
