public import CoreTracker

/// A service that converts steps to Google Analytics events and passes them to an adapter.
///
/// ```swift
/// GoogleAnalyticsService(adapter: sdk).send(event: .basketOpened(items: 2, isGuest: true))
///
/// #expect(sdk.events == ["basketOpened isGuest 1 itemCount 2"])
/// ```
///
/// Names and keys are passed unchanged, or in the ``NameStyle`` that the app chooses. If two keys are equal in that
/// style, the later one keeps its original spelling. Booleans become 1 and 0, because Google Analytics has no Booleans.
/// A sensitive value keeps its policy. If an adapter does not apply the policy, it leaves the value out.
public struct GoogleAnalyticsService: AnalyticsService {
    /// The spelling of names and keys for Google Analytics.
    public enum NameStyle: String, Sendable, Hashable, CaseIterable {
        /// The original spelling.
        ///
        /// Google Analytics accepts letters, digits and underscores; a lane rejects other names.
        case asWritten = "as-written"
        /// In snake case: `Basket Opened` and `basketOpened` become `basket_opened`.
        case snakeCase = "snake-case"

        /// Returns a name in this style.
        func name(_ text: String) -> String {
            switch self {
            case .asWritten: text
            case .snakeCase: SnakeCase.name(text)
            }
        }
    }

    private let adapter: any GoogleAnalyticsAdapter
    private let names: NameStyle

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - adapter: Receives each event, on the thread that sends the step.
    ///   - names: The spelling of names and keys; by default they are passed unchanged.
    public init(adapter: any GoogleAnalyticsAdapter, names: NameStyle = .asWritten) {
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
        properties.recordOmissions(of: parameters)
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

/// A connection from a ``GoogleAnalyticsService`` to Google Analytics.
///
/// `GoogleAnalyticsLane` of the module `EventBuffer` is an adapter that delivers through the engine, with consent, a
/// durable queue and a ledger. A class of the SDK can also be an adapter. In that case the SDK handles consent and
/// losses. Tests use `MockGoogleAnalyticsAdapter`.
///
/// Contract: `trackEvent` may be called from any thread, and returns without waiting for the disk or the network.
public protocol GoogleAnalyticsAdapter: Sendable {
    /// Passes an event to Google Analytics.
    ///
    /// - Parameters:
    ///   - name: The event's name, as the service spells it.
    ///   - properties: The event's properties, as the service spells them.
    func trackEvent(with name: String, properties: EventParameters)
}

extension GoogleAnalyticsAdapter {
    /// The parameters of an event.
    ///
    /// The alias lets a file declare an adapter and import this module only.
    public typealias EventParameters = VendorEvent.Parameters
}

/// A converter of names to snake case.
enum SnakeCase {
    /// Returns a name in lower case with underscores between its words.
    ///
    /// Characters other than separators are kept.
    static func name(_ text: String) -> String {
        var name = ""
        var previous: Character?
        for character in text {
            if " -./:_".contains(character) {
                if !name.isEmpty, name.last != "_" { name.append("_") }
            } else {
                let startsWord =
                    character.isUppercase && (previous?.isLowercase ?? false || previous?.isNumber ?? false)
                if startsWord { name.append("_") }
                name += character.lowercased()
            }
            previous = character
        }
        return name.last == "_" ? String(name.dropLast()) : name
    }
}
