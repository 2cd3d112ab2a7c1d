import LoopbackCollector

/// The facts about an event in a request, in addition to its id and name.
struct WireFacts: Sendable {
    /// The product's prefix, or `nil` if the request does not contain it.
    var product: String?
    var device = ""
    var user = ""
    var session = ""
    /// The parameters, including defaults, or `nil` if they cannot be distinguished from the envelope.
    var parameters: CollectedValue?
    /// The other fields of the event.
    var envelope: [(key: String, value: CollectedValue)] = []

    /// Creates the facts of an event.
    ///
    /// `top` is the whole body, if it is a single JSON text.
    init(_ event: CollectedValue, in top: CollectedValue?, of service: String) {
        switch service {
        case CollectorService.firebase.name: readFirebase(event, top)
        case CollectorService.awesomeTracking.name where event["props"] != nil: readRow(event)
        case CollectorService.braze.name:
            user = event["external_id"]?.string ?? ""
            split(event["properties"], envelope: ["event_uid"])
        default: envelope = event.members
        }
    }

    private static let firebaseEnvelope: Set<String> = [
        "event_id", "session_id", "app_session", "engagement_time_msec",
    ]

    private mutating func readFirebase(_ event: CollectedValue, _ top: CollectedValue?) {
        device = top?["app_instance_id"]?.string ?? ""
        user = top?["user_id"]?.string ?? ""
        let parameters = event["params"]
        session = parameters?["app_session"]?.string ?? parameters?["session_id"].map { $0.string ?? $0.json } ?? ""
        split(event["params"], envelope: WireFacts.firebaseEnvelope)
    }

    private mutating func readRow(_ row: CollectedValue) {
        product = row["product"]?.string
        device = row["device_id"]?.string ?? ""
        user = row["user_id"]?.string ?? ""
        session = row["session_id"]?.string ?? ""
        parameters = row["props"]?.string.flatMap { CollectedValue(Array($0.utf8)) }
        envelope = row.members.filter { $0.key != "props" }
    }

    private mutating func split(_ value: CollectedValue?, envelope names: Set<String>) {
        guard case .object(let members)? = value else { return }
        parameters = .object(members.filter { !names.contains($0.key) })
        envelope = members.filter { names.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

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
