import CoreTracker

/// Turns the steps of users' ways into Google Analytics events and hands them to an adapter.
///
/// Names and keys become snake case (`Basket Opened` and `basketOpened` become `basket_opened`), truth values become 1
/// and 0. A key whose snake case another property has keeps its own spelling, so that none is lost. A sensitive
/// value keeps its policy, and an adapter that does not apply it leaves the value out.
public struct GoogleAnalyticsService: AnalyticsService {
    private let adapter: any GoogleAnalyticsAdapter

    /// Creates a service on an adapter.
    public init(adapter: any GoogleAnalyticsAdapter) {
        self.adapter = adapter
    }

    public func send(event: Journey.Event) {
        adapter.trackEvent(
            with: SnakeCase.name(event.name),
            properties: GoogleAnalyticsService.properties(of: event.properties)
        )
    }

    private static func properties(of parameters: EventParameters) -> EventParameters {
        var taken = Set(parameters.map(\.key) + parameters.sensitive.map(\.key))
        func name(of key: ParameterKey) -> ParameterKey {
            let name = ParameterKey(SnakeCase.name(key.name))
            return taken.insert(name).inserted ? name : key
        }
        var properties = EventParameters()
        for parameter in parameters { properties[name(of: parameter.key)] = value(of: parameter.value) }
        for parameter in parameters.sensitive { properties.insert(parameter.renamed(name(of: parameter.key))) }
        return properties
    }

    private static func value(of value: ParameterValue) -> ParameterValue {
        switch value {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .array(let elements): .array(elements.map(GoogleAnalyticsService.value))
        case .object(let members): .object(properties(of: members))
        case .string, .int, .double: value
        }
    }
}
