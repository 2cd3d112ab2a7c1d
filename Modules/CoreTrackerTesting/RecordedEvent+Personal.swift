import CoreTracker

extension RecordedEvent {
    /// How far the event's fields are looked through for sensitive values.
    private static let maximumDepth = 8

    /// The lines of what a service was handed of a person as it is.
    var personalLines: [String] {
        let values = RecordedEvent.sensitiveValues(in: event, depth: 0)
        let texts = services.flatMap { service in
            RecordedEvent.texts(of: service).filter { text in values.contains { $0.occurs(in: text) } }
        }
        return services.flatMap(RecordedEvent.passed) + texts.map { "  \($0.debugDescription)" }
    }

    /// The sensitive values that a policy lets pass.
    private static func passed(of service: EventService) -> [String] {
        (service.event.parameters.allSensitive + service.event.defaults.allSensitive).compactMap { parameter in
            guard case .pass = parameter.policy else { return nil }
            return "  \(parameter.key.name.debugDescription): sensitive, \(parameter.policy)"
        }
    }

    /// The sensitive values among the fields of a value, however deep.
    private static func sensitiveValues(in value: Any, depth: Int) -> [any SensitiveText] {
        if let value = value as? any SensitiveText { return [value] }
        guard depth < maximumDepth else { return [] }
        return Mirror(reflecting: value).children.flatMap { sensitiveValues(in: $0.value, depth: depth + 1) }
    }

    /// The name, and every key and text of the parameters.
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
