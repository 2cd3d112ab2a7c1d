import CoreTracker

/// An event recorded by a mock, with the events of its services at the time of tracking.
struct RecordedEvent: Sendable {
    /// The typed event.
    let event: any CoreTrackable
    /// The event's services at the moment of tracking.
    let services: [EventService]

    /// Records an event.
    ///
    /// Reads its services once.
    init(_ event: some CoreTrackable) {
        self.init(event, services: event.services)
    }

    /// Records an event with other services than its own.
    init(_ event: some CoreTrackable, services: [EventService]) {
        self.event = event
        self.services = services
    }

    /// The event as text: its type, then each service with its parameters.
    ///
    /// Two events of one type are equal if and only if their lines are equal. Strings are quoted, and integers differ
    /// from floating-point numbers.
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

extension RecordedEvent {
    /// The names, keys and values of the services' events as text, without dropped and hashed values.
    var texts: [String] {
        services.flatMap { service in
            let event = service.event
            let sensitive = event.parameters.allSensitive + event.defaults.allSensitive
            return RecordedEvent.texts(of: service, includingFlags: true) + sensitive.flatMap(RecordedEvent.texts)
        }
    }

    /// Returns the key of a sensitive value, and the value if its policy passes it.
    private static func texts(of parameter: SensitiveParameter) -> [String] {
        guard case .pass(let purpose) = parameter.policy,
            let value = parameter.redacted(for: purpose.name, hash: { _ in nil })
        else { return [parameter.key.name] }
        return [parameter.key.name] + texts(of: value, includingFlags: true)
    }

    /// The lines of the services' events with unprotected personal data.
    var personalLines: [String] {
        var seen: Set<ObjectIdentifier> = []
        let values = RecordedEvent.sensitiveValues(in: event, seen: &seen)
        let texts = services.flatMap { service in
            RecordedEvent.texts(of: service).filter { text in values.contains { $0.occurs(in: text) } }
        }
        return services.flatMap(RecordedEvent.passed) + texts.map { "  \($0.debugDescription)" }
    }

    /// Returns a line for each sensitive value that its policy passes to a service.
    private static func passed(of service: EventService) -> [String] {
        (service.event.parameters.allSensitive + service.event.defaults.allSensitive).compactMap { parameter in
            guard case .pass = parameter.policy else { return nil }
            return "  \(parameter.key.name.debugDescription): sensitive, \(parameter.policy)"
        }
    }

    /// Returns the sensitive values in a value and its fields, at any depth.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - seen: The objects searched so far, which may refer to each other.
    private static func sensitiveValues(in value: Any, seen: inout Set<ObjectIdentifier>) -> [any SensitiveText] {
        if let value = value as? any SensitiveText { return [value] }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .class, !seen.insert(ObjectIdentifier(value as AnyObject)).inserted { return [] }
        var found: [any SensitiveText] = []
        for child in mirror.children { found += sensitiveValues(in: child.value, seen: &seen) }
        return found
    }

    /// Returns the event's name, and all keys and values of its parameters as text.
    ///
    /// Flags are no personal data, because many events have equal ones.
    private static func texts(of service: EventService, includingFlags: Bool = false) -> [String] {
        let event = service.event
        return [event.name]
            + [event.parameters, event.defaults].flatMap { texts(of: .object($0), includingFlags: includingFlags) }
    }

    private static func texts(of value: ParameterValue, includingFlags: Bool) -> [String] {
        switch value {
        case .string(let text): [text]
        case .int(let number): [String(number)]
        case .double(let number): [String(number)]
        case .bool(let flag): includingFlags ? [String(flag)] : []
        case .array(let elements): elements.flatMap { texts(of: $0, includingFlags: includingFlags) }
        case .object(let members):
            members.flatMap { [$0.key.name] + texts(of: $0.value, includingFlags: includingFlags) }
        }
    }
}
