/// The text of parameters in printed output, in logs and in the message of a failed `#expect`.
///
/// It has the form of a literal: `["item_id": "7", "price": 35.79]`. A sensitive value is `‹redacted›`. A list or an
/// object below ``ParameterText/maximumDepth`` levels is `…`.
enum ParameterText {
    /// The maximum depth of written lists and objects, including the set itself.
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
    /// The event's name and parameters.
    ///
    /// The text includes the default parameters and the options only if they are set.
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
    /// The event's type, and the event of each of its services.
    ///
    /// Sensitive values are redacted.
    ///
    /// It calls `services`. An event can declare another `description`.
    public var description: String {
        let services = services.map(\.description)
        return "\(Self.self)(" + (services.isEmpty ? "no services" : services.joined(separator: "; ")) + ")"
    }
}

extension EventParameters {
    /// The parameters as a dictionary, for an SDK that takes one.
    ///
    /// In Objective-C, values become `NSString`, `NSNumber` and so on.
    ///
    /// A Boolean becomes 1 or 0. Sensitive values and nonfinite numbers are left out.
    public var dictionary: [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        for parameter in self { values[parameter.key.name] = EventParameters.plain(parameter.value) }
        return values
    }

    private static func plain(_ value: ParameterValue) -> (any Sendable)? {
        switch value {
        case .string(let text): text
        case .int(let number): number
        case .double(let number): number.isFinite ? number : nil
        case .bool(let flag): flag ? 1 : 0
        case .array(let elements): elements.compactMap(plain)
        case .object(let members): members.dictionary
        }
    }
}
