import CoreTracker

extension RecordedEvent {
    /// The maximum nesting depth at which the event's fields are searched for sensitive values.
    private static let maximumDepth = 8

    /// The lines with unprotected personal data that a service received.
    var personalLines: [String] {
        let values = RecordedEvent.sensitiveValues(in: event, depth: 0)
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

    /// Returns the sensitive values in a value and its fields, down to ``maximumDepth`` levels.
    private static func sensitiveValues(in value: Any, depth: Int) -> [any SensitiveText] {
        if let value = value as? any SensitiveText { return [value] }
        guard depth < maximumDepth else { return [] }
        return Mirror(reflecting: value).children.flatMap { sensitiveValues(in: $0.value, depth: depth + 1) }
    }

    /// Returns the event's name, and all keys and values of its parameters as text.
    private static func texts(of service: EventService) -> [String] {
        let event = service.event
        return [event.name] + texts(of: .object(event.parameters)) + texts(of: .object(event.defaults))
    }

    private static func texts(of value: ParameterValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .int(let number): [String(number)]
        case .double(let number): [String(number)]
        case .bool: []
        case .array(let elements): elements.flatMap(texts)
        case .object(let members): members.flatMap { [$0.key.name] + texts(of: $0.value) }
        }
    }
}
