/// A message of GA4's validation server about one part of a body.
public struct ValidationMessage: Sendable, Hashable {
    /// A category of faults, with the server's name.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case valueInvalid = "VALUE_INVALID"
        case valueRequired = "VALUE_REQUIRED"
        case nameInvalid = "NAME_INVALID"
        case nameReserved = "NAME_RESERVED"
        case valueOutOfBounds = "VALUE_OUT_OF_BOUNDS"
        case exceededMaxEntities = "EXCEEDED_MAX_ENTITIES"
    }

    /// The location of the fault, such as `events[0].params`.
    ///
    /// Empty for the body itself.
    public let fieldPath: String
    /// The description of the fault, for people.
    public let description: String
    /// The category of the fault.
    public let code: Code

    /// Creates a message.
    init(_ code: Code, _ fieldPath: String, _ description: String) {
        self.code = code
        self.fieldPath = fieldPath
        self.description = description
    }

    /// The message as an element of the server's response.
    var json: String {
        let members = [("fieldPath", fieldPath), ("description", description), ("validationCode", code.rawValue)]
        return "{" + members.map { "\"\($0.0)\":\"\($0.1.jsonEscaped)\"" }.joined(separator: ",") + "}"
    }
}

extension String {
    fileprivate var jsonEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
