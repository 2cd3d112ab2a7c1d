/// The text of parameters: what is printed, logged, and shown by a failed `#expect`.
///
/// It reads like a literal: `["item_id": "7", "price": 35.79]`. A sensitive value is `‹redacted›`. Below
/// ``ParameterText/maximumDepth`` levels a list or an object is `…`.
enum ParameterText {
    /// How many levels of lists and objects are written out, the set itself included.
    static let maximumDepth = 4

    static func text(_ parameters: EventParameters, depth: Int = 1) -> String {
        let members =
            parameters.map { "\($0.key.name.debugDescription): \(text($0.value, depth: depth))" }
            + parameters.sensitive.map { "\($0.key.name.debugDescription): ‹redacted›" }
        return members.isEmpty ? "[:]" : "[" + members.joined(separator: ", ") + "]"
    }

    static func text(_ value: ParameterValue, depth: Int = 0) -> String {
        if value.isNested, depth >= maximumDepth { return "…" }
        return switch value {
        case .string(let text): text.debugDescription
        case .int(let number): String(number)
        case .double(let number): String(number)
        case .bool(let flag): String(flag)
        case .array(let list): "[" + list.map { text($0, depth: depth + 1) }.joined(separator: ", ") + "]"
        case .object(let members): text(members, depth: depth + 1)
        }
    }
}

extension EventParameters: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { ParameterText.text(self) }
    public var debugDescription: String { description }
}

extension EventParameters.Element: CustomStringConvertible {
    public var description: String { "\(key.name.debugDescription): \(value)" }
}

extension ParameterValue: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { ParameterText.text(self) }
    public var debugDescription: String { description }
}

extension ServiceEvent {
    /// The event's name and parameters, and what few events have beside: default parameters of scopes, and options.
    public var description: String {
        var text = "\(name) \(parameters)"
        if defaults != EventParameters() { text += " with defaults \(defaults)" }
        if options != TrackOptions() { text += ", \(options.durability), \(options.priority) priority" }
        return text
    }
}

extension EventService: CustomStringConvertible {
    /// The service's name, the event's name and its parameters: `firebase view_item ["item_id": "7"]`.
    public var description: String { "\(serviceName) \(event)" }
}

extension CoreTrackable {
    /// The event's type, and what each of its services gets; sensitive values are redacted.
    ///
    /// It asks the event for its services. An event can declare a `description` of its own.
    public var description: String {
        let services = services.map(\.description)
        return "\(Self.self)(" + (services.isEmpty ? "no services" : services.joined(separator: "; ")) + ")"
    }
}
