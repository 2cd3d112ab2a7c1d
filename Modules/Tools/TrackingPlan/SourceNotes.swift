import Foundation

/// The documentation comments of keys, types and values in a folder of modules.
///
/// The plan takes the meaning of a key from its declaration:
///
/// ```swift
/// extension EventParameter {
///     /// The payment method.
///     static let payment = Key<DLPayment>("payment")
/// }
/// ```
///
/// Only the first paragraph is used. If the type of a key is a string enumeration, its cases are the allowed values. Any
/// value is allowed if a case has a condition, an attribute on its line, or a raw value other than a plain string.
/// Sources are parsed in the format of swift-format, without macros. Except for cases, a declaration is on one line.
struct SourceNotes {
    /// A declared key with its module, its meaning and the type of its values.
    private struct Key {
        let module: String
        let meaning: String
        let type: String
    }

    /// A declared string enumeration with its module and the meanings of its values.
    private struct Enumeration {
        let module: String
        /// The values, or `nil` if a case is not understood.
        var values: [PlanNotes.AllowedValue]?
    }

    private var keys: [String: [Key]] = [:]
    private var types: [String: String] = [:]
    private var enumerations: [String: [Enumeration]] = [:]

    /// Creates empty notes.
    init() {}

    /// Reads files.
    init(in files: [SourceFile]) {
        for file in files { read(file.text, module: file.module) }
    }

    /// Reads one file.
    mutating func read(_ source: String, module: String) {
        var comment: [String] = []
        var outer: [(name: String, indentation: Int)] = []
        for line in SourceNotes.lines(of: source) {
            let text = line.drop { $0 == " " }
            let indentation = line.count - text.count
            if text.hasPrefix("///") {
                comment.append(String(text.dropFirst(3).drop { $0 == " " }))
                continue
            }
            // An attribute can be between a comment and its declaration.
            if text.hasPrefix("@"), !text.contains(" ") { continue }
            let note = SourceNotes.paragraph(comment)
            comment = []
            if !text.isEmpty { outer.removeAll { $0.indentation >= indentation && !text.hasPrefix("}") } }
            if let (wire, type) = SourceNotes.key(in: text) {
                keys[wire, default: []].append(Key(module: module, meaning: note, type: type))
            } else if let (name, hasTexts) = SourceNotes.type(in: text) {
                let full = (outer.map(\.name) + [name]).joined(separator: ".")
                if !note.isEmpty { types["\(module).\(full)"] = note }
                if hasTexts { enumerations[full, default: []].append(Enumeration(module: module, values: [])) }
                outer.append((name, indentation))
            } else if SourceNotes.hasCases(text), let place = outer.last, indentation == place.indentation + 4 {
                let full = outer.map(\.name).joined(separator: ".")
                guard let last = enumerations[full]?.indices.last else { continue }
                if let values = SourceNotes.values(in: text, meaning: note) {
                    enumerations[full]?[last].values?.append(contentsOf: values)
                } else {
                    enumerations[full]?[last].values = nil
                }
            }
        }
    }

    /// Returns the first paragraph of a type's comment.
    func meaning(ofType type: String, in module: String) -> String? { types["\(module).\(type)"] }

    /// Returns the meaning and the allowed values of a key.
    ///
    /// The module's declaration takes precedence over its product's, and that over declarations that belong to no
    /// product. If a meaning starts with the name of a service, as in `Firebase: the order's id.`, other services use
    /// it only if there is no other.
    func key(_ name: String, in place: PlanNotes.Place) -> PlanNotes.Key? {
        let own = (keys[name] ?? []).filter { !$0.meaning.isEmpty }
        guard let key = best(own, in: place, { place.isAtOtherService($0.meaning) ? 3 : 0 }, \.module) else {
            return nil
        }
        let type = key.type.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        let values = best(enumerations[type] ?? [], in: place, { _ in 0 }, \.module)?.values ?? []
        return PlanNotes.Key(meaning: place.withoutOwnService(key.meaning), values: values)
    }

    /// Returns the declaration whose module is nearest.
    ///
    /// If several are, returns the first.
    private func best<Declaration>(
        _ found: [Declaration],
        in place: PlanNotes.Place,
        _ penalty: (Declaration) -> Int,
        _ module: (Declaration) -> String
    ) -> Declaration? {
        found.compactMap { declaration in
            place.distance(to: module(declaration)).map { (declaration, $0 + penalty(declaration)) }
        }.min { $0.1 < $1.1 }?.0
    }
}

extension SourceNotes {
    /// Returns the lines of a source, where the cases of one declaration are on one line.
    private static func lines(of source: String) -> [String] {
        source.split(separator: "\n", omittingEmptySubsequences: false).reduce(into: []) { lines, line in
            let text = line.drop { $0 == " " }
            if let last = lines.last, last.hasSuffix(","), last.drop(while: { $0 == " " }).hasPrefix("case ") {
                lines[lines.count - 1] = "\(last) \(text)"
            } else {
                lines.append(String(line))
            }
        }
    }

    private static func paragraph(_ lines: [String]) -> String {
        lines.prefix { !$0.isEmpty }.joined(separator: " ").replacing("`", with: "")
    }

    private static func key(in text: Substring) -> (wire: String, type: String)? {
        guard text.contains("static let "), let start = text.firstRange(of: "Key<"),
            let end = text.firstRange(of: ">(\""), start.upperBound < end.lowerBound
        else { return nil }
        let wire = text[end.upperBound...].prefix { $0 != "\"" }
        return (String(wire), String(text[start.upperBound..<end.lowerBound]))
    }

    private static func type(in text: Substring) -> (name: String, hasTexts: Bool)? {
        guard text.hasSuffix("{") else { return nil }
        let modifiers: Set = ["public", "package", "private", "fileprivate", "final", "indirect"]
        let kinds: Set = ["struct", "enum", "class", "actor", "extension"]
        let words = text.split(separator: " ").drop { modifiers.contains(String($0)) }
        guard let kind = words.first, kinds.contains(String(kind)), let declared = words.dropFirst().first else {
            return nil
        }
        let name = declared.prefix { isPartOfName($0) || $0 == "." }
        return (String(name), kind == "enum" && text.contains(": String"))
    }

    /// Returns whether a line of an enumeration declares cases, also with an attribute or a condition.
    private static func hasCases(_ text: Substring) -> Bool {
        text.hasPrefix("case ") || text.hasPrefix("#if ") || text.hasPrefix("@") && text.contains(" case ")
    }

    /// Returns the values of a declaration of cases, or `nil` if it is not understood.
    private static func values(in text: Substring, meaning: String) -> [PlanNotes.AllowedValue]? {
        guard text.hasPrefix("case ") else { return nil }
        var values: [PlanNotes.AllowedValue] = []
        var rest = text.dropFirst("case".count)
        while let element = rest.prefixMatch(of: #/ +`?(\w+)`?(?: = "([^"\\]*)")?(,?)/#) {
            values.append(PlanNotes.AllowedValue(value: String(element.2 ?? element.1), meaning: meaning))
            rest = rest[element.range.upperBound...]
            guard element.3.isEmpty else { continue }
            return rest.wholeMatch(of: #/ *(?:\/\/.*)?/#) == nil ? nil : values
        }
        return nil
    }

    private static func isPartOfName(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
