import CoreTracker

/// Turns the steps of users' ways into Google Analytics events and hands them to an adapter.
///
/// Names and keys become snake case (`Basket Opened` and `basketOpened` become `basket_opened`), truth values become 1
/// and 0. A key whose snake case another property has keeps its own spelling, so that none is lost.
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

    private static func properties(of parameters: Parameters) -> Parameters {
        var properties = Parameters()
        for parameter in parameters {
            let key = ParameterKey(SnakeCase.name(parameter.key.name))
            let isTaken = key != parameter.key && (parameters[key] != nil || properties[key] != nil)
            properties[isTaken ? parameter.key : key] = value(of: parameter.value)
        }
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
