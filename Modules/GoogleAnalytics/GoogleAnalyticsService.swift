import CoreTracker

/// Turns the steps of users' ways into Google Analytics events and hands them to an adapter.
///
/// Booleans become 1 and 0, and names and keys what the app's ``NameStyle`` says. A key whose new spelling another
/// property has keeps its own, so that none is lost. A sensitive value keeps its policy, and an adapter that does not
/// apply it leaves the value out.
public struct GoogleAnalyticsService: AnalyticsService {
    /// How names of steps and keys of properties are spelt for Google.
    public enum NameStyle: String, Sendable, Hashable, CaseIterable {
        /// As the feature has written them; the adapter refuses what Google does not take, such as a space.
        case asWritten = "as-written"
        /// In snake case: `Basket Opened` and `basketOpened` become `basket_opened`.
        case snakeCase = "snake-case"

        /// A name in this style.
        func name(_ text: String) -> String {
            switch self {
            case .asWritten: text
            case .snakeCase: SnakeCase.name(text)
            }
        }
    }

    private let adapter: any GoogleAnalyticsAdapter
    private let names: NameStyle

    /// Creates a service on an adapter.
    public init(adapter: any GoogleAnalyticsAdapter, names: NameStyle = .snakeCase) {
        self.adapter = adapter
        self.names = names
    }

    public func send(event: Journey.Event) {
        adapter.trackEvent(with: names.name(event.name), properties: properties(of: event.properties))
    }

    private func properties(of parameters: EventParameters) -> EventParameters {
        var taken = Set(parameters.map(\.key) + parameters.sensitive.map(\.key))
        func name(of key: ParameterKey) -> ParameterKey {
            let name = ParameterKey(names.name(key.name))
            return taken.insert(name).inserted ? name : key
        }
        var properties = EventParameters()
        properties.noteOmissions(of: parameters)
        for parameter in parameters { properties[name(of: parameter.key)] = value(of: parameter.value) }
        for parameter in parameters.sensitive { properties.insert(parameter.renamed(name(of: parameter.key))) }
        return properties
    }

    private func value(of value: ParameterValue) -> ParameterValue {
        switch value {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .array(let elements): .array(elements.map(value(of:)))
        case .object(let members): .object(properties(of: members))
        case .string, .int, .double: value
        }
    }
}
