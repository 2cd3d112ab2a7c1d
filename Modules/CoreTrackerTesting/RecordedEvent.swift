import CoreTracker

/// An event as a mock keeps it: the typed value, and what its services were handed at that moment.
struct RecordedEvent: Sendable {
    /// The event itself.
    let event: any CoreTrackable
    /// The event's services at the moment of tracking.
    let services: [EventService]

    /// Keeps an event; asks once for its services.
    init(_ event: some CoreTrackable) {
        self.init(event, services: event.services)
    }

    /// Keeps an event as if its services were the given ones.
    init(_ event: some CoreTrackable, services: [EventService]) {
        self.event = event
        self.services = services
    }

    /// The event as text: its type, and below it each service with its parameters.
    ///
    /// Two events are the same exactly when their lines are; text is quoted and numbers keep their kind.
    var lines: [String] {
        [title] + (services.isEmpty ? ["  goes to no service"] : services.flatMap(RecordedEvent.lines(of:)))
    }

    /// The event's first line.
    var title: String {
        event is ServiceCall ? "a service called directly" : "\(type(of: event))"
    }

    private static func lines(of service: EventService) -> [String] {
        switch service {
        case .firebase(let event): lines(of: event, at: "firebase")
        case .awesomeTracking(let event): lines(of: event, at: "awesomeTracking")
        case .vendor(let event): lines(of: event, at: "vendor \(event.type.name.debugDescription)")
        }
    }

    private static func lines(of event: some ServiceEvent, at service: String) -> [String] {
        let defaults = lines(of: event.defaults, indent: "      ")
        return ["  \(service) \(event.name.debugDescription)"] + lines(of: event.parameters, indent: "    ")
            + (defaults.isEmpty ? [] : ["    by default:"] + defaults)
            + (event.options == TrackOptions()
                ? [] : ["    \(event.options.durability), \(event.options.priority) priority"])
    }

    private static func lines(of parameters: EventParameters, indent: String) -> [String] {
        parameters.flatMap { lines(of: $0.value, label: "\($0.key.name.debugDescription): ", indent: indent) }
            + parameters.sensitive.map { "\(indent)\($0.key.name.debugDescription): \($0.fingerprint)" }
    }

    private static func lines(of value: ParameterValue, label: String, indent: String) -> [String] {
        switch value {
        case .string(let text): ["\(indent)\(label)\(text.debugDescription)"]
        case .int(let number): ["\(indent)\(label)\(number)"]
        case .double(let number): ["\(indent)\(label)\(number)"]
        case .bool(let flag): ["\(indent)\(label)\(flag)"]
        case .array(let values):
            ["\(indent)\(label)["]
                + values.flatMap { lines(of: $0, label: "", indent: indent + "  ") }
                + ["\(indent)]"]
        case .object(let parameters):
            ["\(indent)\(label){"] + lines(of: parameters, indent: indent + "  ") + ["\(indent)}"]
        }
    }
}
