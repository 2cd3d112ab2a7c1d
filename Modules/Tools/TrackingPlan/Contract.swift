import CoreTracker
import Foundation

/// The events of one product at one service, with the names that they have in Kotlin and TypeScript.
///
/// It is the only model of the generated code: the printers of both languages add syntax and decide nothing. Both
/// languages use the same names. A name that neither can have is an error.
struct Contract {
    /// A reason why the plan cannot become correct code.
    struct Failure: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// An event's parameters, or an object in them.
    struct Structure: Hashable {
        let name: String
        let comment: String
        /// The fields without a default first, each part in alphabetical order of its keys.
        let fields: [Field]

        /// The objects in the fields.
        var structures: [Structure] { fields.compactMap(\.value.structure) }

        /// The sets of fixed values in the fields, each once.
        var choices: [(name: String, choices: [Choice])] {
            fields.compactMap(\.value.choice).reduce(into: []) { all, choice in
                if !all.contains(where: { $0 == choice }) { all.append(choice) }
            }
        }

        /// Whether a caller must state a value of any field.
        var hasStated: Bool { fields.contains(where: \.isStated) }
    }

    /// A parameter, or a member of an object.
    struct Field: Hashable {
        /// The name on the wire.
        let key: String
        let name: String
        let comment: String
        let value: Value
        let isRequired: Bool
        /// The text that the product's own tracker sends if the event has none.
        let fallback: String?
        /// Whether a caller must state a value.
        let isStated: Bool

        /// Returns the value of an example, or `nil` if it has none or has the default.
        func stated(in example: EventParameters) -> ParameterValue? {
            example[ParameterKey(key)].flatMap { value in
                if case .string(let text) = value, text == fallback { nil } else { value }
            }
        }
    }

    /// The type of a value.
    indirect enum Value: Hashable {
        case text, integer, number, flag
        /// One of some texts, each with its name.
        case choice(String, [Choice])
        case list(Value)
        case structure(Structure)

        /// The object of the value or of its elements.
        var structure: Structure? {
            switch self {
            case .structure(let structure): structure
            case .list(let element): element.structure
            default: nil
            }
        }

        /// The allowed texts of the value or of its elements.
        var choice: (name: String, choices: [Choice])? {
            switch self {
            case .choice(let name, let choices): (name, choices)
            case .list(let element): element.choice
            default: nil
            }
        }
    }

    /// An allowed text.
    struct Choice: Hashable {
        let text: String
        let name: String
    }

    /// An event with its structure.
    struct Event {
        let entry: PlanEntry
        let structure: Structure
    }

    /// The name of the group, such as `DLFirebase`.
    let name: String
    /// The name of the TypeScript module, such as `dlFirebase`.
    let module: String
    let product: String
    let service: String
    let events: [Event]

    /// Returns the contracts of a plan, in the order of the plan.
    ///
    /// - Throws: ``Failure`` for the first event without correct code.
    static func all(of plan: Plan, at services: [CheckedService]) throws(Failure) -> [Contract] {
        let entries = plan.received.filter { entry in
            services.contains { !$0.isVendor && $0.accepts(entry.service, of: entry.product) }
        }
        var groups: [[String]] = []
        for entry in entries where !groups.contains([entry.product, entry.service]) {
            groups.append([entry.product, entry.service])
        }
        var contracts: [Contract] = []
        for group in groups {
            contracts.append(try Contract(entries.filter { [$0.product, $0.service] == group }))
        }
        try unique(contracts.map { ($0.name, "\($0.product) \($0.service)") }, in: "the plan")
        return contracts
    }

    private init(_ entries: [PlanEntry]) throws(Failure) {
        (product, service) = (entries[0].product, entries[0].service)
        name = try ContractName.type("\(product)_\(service)", in: "the plan")
        module = try ContractName.member("\(product)_\(service)", in: "the plan")
        var events: [Event] = []
        for entry in entries {
            let place = "\(entry.product) \(entry.service) \(entry.name)"
            let comment = "\(entry.purpose)\n`\(entry.name)`, owned by \(entry.owner)."
            let type = try ContractName.type(entry.name, in: place)
            events.append(
                Event(entry: entry, structure: try Structure(type, comment, entry.parameters, path: name, in: place))
            )
        }
        self.events = events
        // TypeScript has no nested types, so the names of all objects are in one scope.
        try Contract.unique(
            events.flatMap { $0.structure.flattened(of: $0.entry.name) },
            in: "\(product) \(service)"
        )
    }

    /// Checks that names differ, also on a disk that ignores their case.
    fileprivate static func unique(_ names: [(name: String, source: String)], in place: String) throws(Failure) {
        var sources: [String: String] = [:]
        for (name, source) in names {
            guard let other = sources.updateValue(source, forKey: name.lowercased()) else { continue }
            let text = "\(place): “\(other)” and “\(source)” would both be \(name) in Kotlin and TypeScript; rename one"
            throw Failure(description: text)
        }
    }
}

extension Contract.Structure {
    fileprivate init(
        _ name: String,
        _ comment: String,
        _ schema: ValueSchema,
        path: String,
        in place: String
    ) throws(Contract.Failure) {
        let path = "\(path)$\(name)"
        guard path.utf8.count <= 200 else {
            throw Contract.Failure(description: "\(place): the names are too long for a file of Kotlin's compiler")
        }
        var fields: [Contract.Field] = []
        for (key, value) in schema.members.sorted(by: { $0.key < $1.key }) where value.types != ["null"] {
            let place = "\(place): \(key)"
            let type = try Contract.Value(value, key, path: path, in: place)
            let isRequired = schema.required.contains(key) && !value.types.contains("null")
            fields.append(
                Contract.Field(
                    key: key,
                    name: try ContractName.member(key, in: place),
                    comment: [
                        value.meaning, value.policy.map { "Sensitive (\($0)): pass the value that may be sent." },
                    ]
                    .compactMap(\.self).joined(separator: "\n"),
                    value: type,
                    isRequired: isRequired,
                    fallback: isRequired ? value.codeFallback : nil,
                    isStated: isRequired && value.isStated
                )
            )
        }
        try Contract.unique(fields.map { ($0.name, $0.key) }, in: place)
        guard fields.count <= 120 else {
            throw Contract.Failure(description: "\(place): Kotlin's constructors have at most 120 parameters here")
        }
        self.init(
            name: name,
            comment: comment,
            fields: fields.filter(\.isStated) + fields.filter { !$0.isStated }
        )
    }

    /// The names of this type and of the objects in it, each with the names on the wire.
    fileprivate func flattened(of source: String) -> [(name: String, source: String)] {
        let inner = fields.flatMap { $0.value.structure?.flattened(of: "\(source).\($0.key)") ?? [] }
        let choices = choices.map { choice in (choice.name, "\(source): \(choice.choices.map(\.text))") }
        return [(name, source)] + (inner + choices).map { ("\(name)\($0)", $1) }
    }
}

extension Contract.Value {
    fileprivate init(_ schema: ValueSchema, _ key: String, path: String, in place: String) throws(Contract.Failure) {
        let types = schema.types.filter { $0 != "null" }
        guard types.count == 1 else {
            let types = types.joined(separator: " or ")
            throw Contract.Failure(description: "\(place) is \(types), and Kotlin has no such type; send one type")
        }
        switch types[0] {
        case "integer": self = .integer
        case "number": self = .number
        case "boolean": self = .flag
        case "object":
            let name = try ContractName.type(key, in: place)
            self = .structure(try Contract.Structure(name, schema.meaning ?? "", schema, path: path, in: place))
        case "array":
            guard let element = schema.elements.first else {
                throw Contract.Failure(description: "\(place): no example shows an element of the list")
            }
            let isPlural = key.count > 2 && key.hasSuffix("s") && !key.hasSuffix("ss")
            let name = isPlural ? String(key.dropLast()) : key
            self = .list(try Contract.Value(element, name, path: path, in: place))
        default:
            guard !schema.values.isEmpty else {
                self = .text
                return
            }
            var choices: [Contract.Choice] = []
            for text in schema.values {
                let name = text.isEmpty ? "Empty" : try ContractName.type(text, in: place)
                choices.append(Contract.Choice(text: text, name: name))
            }
            try Contract.unique(choices.map { ($0.name, $0.text) }, in: place)
            self = .choice(try ContractName.type(key, in: place), choices)
        }
    }
}

/// The names of wire names in Kotlin and TypeScript.
///
/// Letters and digits stay, also those outside ASCII. Every other character ends a word. A name that begins with a
/// digit gets an underscore before it, and a word of a language gets one after it.
enum ContractName {
    /// Returns a name such as `ViewItem`.
    static func type(_ wire: String, in place: String) throws(Contract.Failure) -> String {
        try checked(words(of: wire).map(capitalized).joined(), types, wire, place)
    }

    /// Returns a name such as `viewItem`.
    static func member(_ wire: String, in place: String) throws(Contract.Failure) -> String {
        let words = words(of: wire)
        let first = words.first.map { isAcronym($0) ? $0.lowercased() : $0.prefix(1).lowercased() + $0.dropFirst() }
        return try checked((first ?? "") + words.dropFirst().map(capitalized).joined(), members, wire, place)
    }

    /// Returns the name of the function that makes a type, which differs for each type.
    static func function(_ type: String) -> String {
        let name = type.prefix(1).lowercased() + type.dropFirst()
        return keywords.contains(name) ? name + "_" : name
    }

    private static func checked(
        _ name: String,
        _ reserved: Set<String>,
        _ wire: String,
        _ place: String
    ) throws(Contract.Failure) -> String {
        // A changed case may add marks, as that of “İ” does.
        let name = String(String.UnicodeScalarView(name.unicodeScalars.filter(isPartOfName)))
        guard let first = name.unicodeScalars.first else {
            throw Contract.Failure(description: "\(place): “\(wire)” has no letter or digit for a name; rename it")
        }
        guard name.utf8.count <= 100 else {
            throw Contract.Failure(description: "\(place): “\(wire.prefix(40))…” is longer than 100 bytes; shorten it")
        }
        if !first.properties.isAlphabetic { return "_" + name }
        return reserved.contains(name) ? name + "_" : name
    }

    private static func words(of wire: String) -> [String] {
        wire.precomposedStringWithCanonicalMapping.unicodeScalars.split { !isPartOfName($0) }.map(String.init)
    }

    /// Whether a scalar is a letter or a digit in both languages, whose compilers know no others beyond 16 bits.
    private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            scalar.value <= 0xFFFF
        default: false
        }
    }

    private static func isAcronym(_ word: String) -> Bool { word.count > 1 && word == word.uppercased() }

    /// Returns a word with a capital, where only an acronym of two letters keeps both.
    private static func capitalized(_ word: String) -> String {
        let rest = isAcronym(word) && word.count > 2 ? word.dropFirst().lowercased() : String(word.dropFirst())
        return word.prefix(1).uppercased() + rest
    }

    /// The types that the generated code uses.
    private static let types: Set = [
        "Any", "Array", "Boolean", "Companion", "Double", "Enum", "Integer", "Json", "JsonValue", "List", "Long",
        "Nothing", "Object", "Pair", "PlannedEvent", "String", "Unit", "WireEvent",
    ]
    /// The words that no property of Kotlin, or no function of TypeScript, can have as a name.
    private static let keywords: Set = [
        "arguments", "as", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
        "delete", "do", "else", "enum", "eval", "export", "exports", "extends", "false", "finally", "for", "fun",
        "function", "if", "implements", "import", "in", "instanceof", "interface", "is", "let", "module", "new", "null",
        "object", "package", "private", "protected", "public", "require", "return", "static", "super", "switch", "this",
        "throw", "true", "try", "typealias", "typeof", "undefined", "val", "var", "void", "when", "while", "with",
        "yield",
    ]
    /// The reserved names of members: the keywords, and the members of every object in TypeScript.
    private static let members = keywords.union([
        "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString",
        "valueOf",
    ])
}
