import CoreTracker

/// A printer of contracts as TypeScript.
///
/// An integer is a `number` or a `bigint`: on the wire it is a JSON number of 64 bits, as the other platforms send it,
/// so a string would be another type for receivers, and a `number` alone loses digits beyond 2^53.
enum TypeScriptPrinter {
    /// The largest integer that a `number` represents with all its neighbors.
    private static let maximumSafeInteger = 9_007_199_254_740_991

    /// Returns the source file of a contract.
    static func source(of contract: Contract) -> String {
        let types = contract.events.map { event in
            let type = event.structure
            let parameter = type.fields.isEmpty ? "" : "event: \(type.name)" + (type.hasStated ? "" : " = {}")
            return """
                \(interfaces(of: type, type.name).joined(separator: "\n"))

                /** Returns \(ContractFiles.plain("`\(event.entry.name)` for \(contract.service)")). */
                export function \(ContractName.function(type.name))(\(parameter)): WireEvent {
                  return {
                    product: \(literal(contract.product)),
                    service: \(literal(contract.service)),
                    name: \(literal(event.entry.name)),
                    parameters: \(object(type, of: "event", type.name, indentation: "    ")),
                  };
                }
                """
        }
        return """
            \(ContractFiles.header)
            import { Integer, WireEvent } from './wire';

            \(types.joined(separator: "\n\n"))

            """
    }

    /// Returns the source file of examples.
    static func source(of examples: [ContractExample], _ contracts: [Contract]) -> String {
        let events = examples.map { example in
            let type = example.event.structure
            let values = type.fields.isEmpty ? "" : expression(.object(example.parameters), .structure(type))
            return "  \(example.contract.module).\(ContractName.function(type.name))(\(values)),"
        }
        return """
            \(ContractFiles.header)
            import { WireEvent } from './wire';
            \(contracts.map { "import * as \($0.module) from './\($0.module)';" }.joined(separator: "\n"))

            /** The examples of the plan, in the order of `vectors.json`. */
            export const examples: readonly WireEvent[] = [
            \(events.joined(separator: "\n"))
            ];

            """
    }

}

extension TypeScriptPrinter {
    /// Returns the interfaces of a type and of the objects in it, and the functions that write those objects.
    private static func interfaces(of type: Contract.Structure, _ name: String) -> [String] {
        var lines = ContractFiles.comment(type.comment) + ["export interface \(name) {"]
        for field in type.fields {
            let comment = field.fallback.map { [field.comment, "Default: `\($0)`."].joined(separator: "\n") }
            lines += ContractFiles.comment(comment ?? field.comment).map { "  " + $0 }
            lines.append("  readonly \(field.name)\(field.isStated ? "" : "?"): \(self.type(field.value, in: name));")
        }
        lines.append("}")
        for structure in type.structures {
            let inner = name + structure.name
            lines += [""] + interfaces(of: structure, inner)
            lines += [
                "", "function \(ContractName.function(inner))(value: \(inner)) {",
                "  return \(object(structure, of: "value", inner, indentation: "  "));", "}",
            ]
        }
        return lines
    }

    /// Returns the type of a value, as a change of the plan compares it.
    static func type(_ value: Contract.Value, in scope: String) -> String {
        switch value {
        case .text: return "string"
        case .integer: return "Integer"
        case .number: return "number"
        case .flag: return "boolean"
        case .choice(_, let choices): return choices.map { literal($0.text) }.joined(separator: " | ")
        case .structure(let structure): return scope + structure.name
        case .list(let element):
            let type = type(element, in: scope)
            return type.contains(" ") ? "readonly (\(type))[]" : "readonly \(type)[]"
        }
    }

    /// Returns the object on the wire for the value of a variable.
    private static func object(
        _ type: Contract.Structure,
        of variable: String,
        _ scope: String,
        indentation: String
    ) -> String {
        guard !type.fields.isEmpty else { return "{}" }
        let members = type.fields.map { field in
            let value = written("\(variable).\(field.name)", field.value, scope, isOptional: !field.isRequired)
            // A literal with this key would set the object's prototype.
            let key = isIdentifier(field.key) ? field.key : "[\(literal(field.key))]"
            return "\(indentation)  \(key): \(value)\(field.fallback.map { " ?? \(literal($0))" } ?? ""),\n"
        }
        return "{\n\(members.joined())\(indentation)}"
    }

    private static func written(_ text: String, _ value: Contract.Value, _ scope: String, isOptional: Bool) -> String {
        switch value {
        case .text, .integer, .number, .flag, .choice: text
        case .structure(let structure):
            (isOptional ? "\(text) && " : "") + "\(ContractName.function(scope + structure.name))(\(text))"
        case .list(let element):
            if element.structure == nil {
                text
            } else {
                "\(text)\(isOptional ? "?" : "").map((item) => \(written("item", element, scope, isOptional: false)))"
            }
        }
    }

    private static func expression(_ value: ParameterValue, _ type: Contract.Value) -> String {
        switch (value, type) {
        case (.string(let text), _): return literal(text)
        case (.int(let number), .integer):
            return number.magnitude > UInt(maximumSafeInteger) ? "\(number)n" : "\(number)"
        case (.int(let number), _): return "\(number)"
        case (.double(let number), _): return "\(number)"
        case (.bool(let flag), _): return "\(flag)"
        case (.array(let elements), .list(let element)):
            return "[\(elements.map { expression($0, element) }.joined(separator: ", "))]"
        case (.object(let members), .structure(let structure)):
            let values = structure.fields.compactMap { field in
                field.stated(in: members).map { "\(field.name): \(expression($0, field.value))" }
            }
            return values.isEmpty ? "{}" : "{ \(values.joined(separator: ", ")) }"
        case (.array, _), (.object, _): return "undefined"
        }
    }

    private static func isIdentifier(_ key: String) -> Bool {
        key != "__proto__" && key.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_]*/#) != nil
    }

    private static func literal(_ text: String) -> String { ContractFiles.literal(text, quote: "'") }
}
