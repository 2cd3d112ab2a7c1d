public import CoreTracker

/// An event of Google Analytics, made from a step of the user's path.
///
/// Names and keys are unchanged, or in the ``NameStyle`` that the app chooses. A key keeps its original spelling if
/// another key already has its name in that style. Booleans become 1 and 0, because Google Analytics has no Booleans. A
/// sensitive value keeps its policy.
public struct GoogleEvent: Sendable, Equatable {
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

    /// The event's name.
    public let name: String
    /// The event's properties.
    public let properties: EventParameters

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - properties: The event's properties.
    public init(_ name: String, _ properties: EventParameters = [:]) {
        self.name = name
        self.properties = properties
    }

    /// Creates an event from a step.
    ///
    /// - Parameters:
    ///   - step: The step.
    ///   - names: The spelling of the name and the keys.
    public init(_ step: Journey.Event, names: NameStyle) {
        self.init(names.name(step.name), GoogleEvent.properties(of: step.parameters, names))
    }

    private static func properties(of parameters: EventParameters, _ names: NameStyle) -> EventParameters {
        var taken = Set(parameters.map(\.key) + parameters.sensitive.map(\.key))
        func name(of key: ParameterKey) -> ParameterKey {
            let name = ParameterKey(names.name(key.name))
            return taken.insert(name).inserted ? name : key
        }
        var properties = EventParameters()
        properties.recordOmissions(of: parameters)
        for parameter in parameters { properties[name(of: parameter.key)] = value(of: parameter.value, names) }
        for parameter in parameters.sensitive { properties.insert(parameter.renamed(name(of: parameter.key))) }
        return properties
    }

    private static func value(of value: ParameterValue, _ names: NameStyle) -> ParameterValue {
        switch value {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .array(let elements): .array(elements.map { GoogleEvent.value(of: $0, names) })
        case .object(let members): .object(properties(of: members, names))
        case .string, .int, .double: value
        }
    }
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
