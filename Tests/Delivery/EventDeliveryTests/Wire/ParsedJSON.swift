import CoreTracker
import Foundation

/// A JSON value from an independent parser, to compare with written values.
///
/// The parser is Foundation's decoder, because `JSONSerialization` on Linux rounds numbers and drops U+FEFF.
enum ParsedJSON: Decodable {
    case null
    case bool(Bool)
    case number(Double, Int?)
    case string(String)
    case array([ParsedJSON])
    case object([String: ParsedJSON])

    /// Parses one JSON value.
    init(parsing bytes: [UInt8]) throws {
        self = try JSONDecoder().decode(ParsedJSON.self, from: Data(bytes))
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number, try? container.decode(Int.self))
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let elements = try? container.decode([ParsedJSON].self) {
            self = .array(elements)
        } else {
            self = .object(try container.decode([String: ParsedJSON].self))
        }
    }

    /// Whether this equals a value after writing, which leaves out nonfinite numbers or makes them `null`.
    func isEqual(to value: ParameterValue) -> Bool {
        switch (self, value) {
        case (.string(let left), .string(let right)): Array(left.utf8) == Array(right.utf8)
        case (.number(_, let left), .int(let right)): left == right
        case (.number(let left, _), .double(let right)): left.bitPattern == right.bitPattern
        case (.null, .double(let number)): !number.isFinite
        case (.bool(let left), .bool(let right)): left == right
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
        case (.object(let left), .object(let right)): ParsedJSON.areEqual(left, right)
        default: false
        }
    }

    private static func areEqual(_ members: [String: ParsedJSON], _ parameters: EventParameters) -> Bool {
        let present = parameters.filter { parameter in
            if case .double(let number) = parameter.value { number.isFinite } else { true }
        }
        return members.count == present.count
            && present.allSatisfy { members[$0.key.name]?.isEqual(to: $0.value) ?? false }
    }
}
