import CoreTracker

/// The events of a guest, from the JSON Schema that the tracking plan's tool writes for a module.
///
/// JSON Schema allows members that a schema does not name. The plan of a guest does not: what it does not name is
/// refused.
struct GuestPlan: Sendable {
    /// An event that fits the plan.
    ///
    /// Its service, its name and its keys are texts of the plan.
    struct Event {
        let service: String
        let name: String
        let parameters: EventParameters
    }

    private struct Entry: Sendable {
        let service: String
        let name: String
        let parameters: ValueShape
    }

    private static let dialect = "https://json-schema.org/draft/2020-12/schema"
    private static let root = "#/$defs/"
    /// The maximum number of levels of a schema, which has three for each level of an event.
    private static let maximumDepth = 256

    /// The service of the first event.
    let firstService: String
    private let services: Set<String>
    /// The entries by name.
    private let entries: [String: [Entry]]

    /// Reads a schema.
    init(schema: [UInt8]) throws(WebBridgeError) {
        guard let schema = try? JSONTree(schema, depth: GuestPlan.maximumDepth) else { throw .malformedSchema(at: "#") }
        let members = try schema.members(at: "#", keywords: ["$defs", "$schema", "anyOf"])
        guard case .string(GuestPlan.dialect) = members["$schema"] else { throw .malformedSchema(at: "#/$schema") }
        guard case .object(let definitions) = members["$defs"] else { throw .malformedSchema(at: "#/$defs") }
        guard case .array(let references) = members["anyOf"] else { throw .malformedSchema(at: "#/anyOf") }
        var entries: [Entry] = []
        for (index, reference) in references.enumerated() {
            let path = "#/anyOf/\(index)"
            guard case .string(let text) = try reference.members(at: path, keywords: ["$ref"])["$ref"],
                text.hasPrefix(GuestPlan.root),
                let name = GuestPlan.unescaped(text.dropFirst(GuestPlan.root.count)),
                let definition = definitions.first(where: { $0.key == name })
            else { throw .malformedSchema(at: path) }
            entries.append(try GuestPlan.entry(definition.value, at: text))
        }
        guard let first = entries.first else { throw .malformedSchema(at: "#/anyOf") }
        firstService = first.service
        services = Set(entries.map(\.service))
        self.entries = Dictionary(grouping: entries, by: \.name)
    }

    /// Returns the event of a message, or `nil` if it does not fit the plan.
    func event(_ message: JSONTree) -> Event? {
        guard case .object(let members) = message, members.count == 3,
            let service = service(of: message),
            case .string(let name)? = message["name"],
            let parameters = message["parameters"]
        else { return nil }
        for entry in entries[name] ?? [] where entry.service == service {
            if case .object(let parameters) = try? entry.parameters.value(of: parameters) {
                return Event(service: entry.service, name: entry.name, parameters: parameters)
            }
        }
        return nil
    }

    /// The service of a message, if the plan has it.
    func service(of message: JSONTree) -> String? {
        guard case .string(let text)? = message["service"] else { return nil }
        return services.contains(text) ? text : nil
    }

    private static func entry(_ definition: JSONTree, at path: String) throws(WebBridgeError) -> Entry {
        let shape = try definition.members(at: path, keywords: ["type", "properties", "required"])
        let names = ["service", "name", "parameters"]
        let below = path + "/properties"
        guard case .string("object") = shape["type"], let properties = shape["properties"],
            Set(try shape["required"]?.texts(at: path + "/required") ?? []) == Set(names)
        else { throw .malformedSchema(at: path) }
        let members = try properties.members(at: below, keywords: Set(names))
        func constant(_ name: String) throws(WebBridgeError) -> String {
            let path = "\(below)/\(name)"
            guard case .string(let text)? = try members[name]?.members(at: path, keywords: ["const"])["const"] else {
                throw .malformedSchema(at: path)
            }
            return text
        }
        guard let parameters = members["parameters"] else { throw .malformedSchema(at: below) }
        return Entry(
            service: try constant("service"),
            name: try constant("name"),
            parameters: try ValueShape(parameters, at: below + "/parameters")
        )
    }

    /// Returns a token of a JSON pointer in a URI fragment without its escapes.
    private static func unescaped(_ token: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = token.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let byte = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

/// The shape of a value in a guest's plan.
struct ValueShape: Sendable {
    /// A value that does not have the shape.
    struct Misfit: Error {}

    private struct Member: Sendable {
        let key: ParameterKey
        let shape: ValueShape
    }

    private let types: Set<String>
    private let members: [String: Member]
    private let required: Set<String>
    /// The shape of a list's elements.
    ///
    /// It has at most one element. Without one, the list must be empty.
    private let elements: [ValueShape]
    /// The allowed texts, or none if any is allowed.
    private let allowed: Set<String>

    /// Reads the JSON Schema of a value.
    init(_ schema: JSONTree, at path: String) throws(WebBridgeError) {
        let parts = try schema.members(at: path, keywords: ["type", "properties", "required", "items", "enum"])
        allowed = Set(try parts["enum"]?.texts(at: path + "/enum") ?? [])
        types = Set(try parts["type"]?.texts(at: path + "/type") ?? [])
        let known: Set = ["array", "boolean", "integer", "null", "number", "object", "string"]
        guard !types.isEmpty, types.isSubset(of: known) else { throw .malformedSchema(at: path + "/type") }
        var members: [String: Member] = [:]
        if let properties = parts["properties"] {
            guard case .object(let list) = properties else { throw .malformedSchema(at: path + "/properties") }
            for (key, value) in list {
                let shape = try ValueShape(value, at: "\(path)/properties/\(key)")
                members[key] = Member(key: ParameterKey(key), shape: shape)
            }
        }
        self.members = members
        required = Set(try parts["required"]?.texts(at: path + "/required") ?? [])
        guard required.isSubset(of: members.keys) else { throw .malformedSchema(at: path + "/required") }
        elements =
            try parts["items"].map { items throws(WebBridgeError) in
                [try ValueShape(items, at: path + "/items")]
            } ?? []
    }

    /// Returns a value as a parameter, or `nil` for `null`.
    ///
    /// A number has the kind of the plan: `1` is a double where the plan has a number, and `1.0` an integer where it
    /// has an integer.
    func value(of json: JSONTree) throws(Misfit) -> ParameterValue? {
        switch json {
        case .null where types.contains("null"): return nil
        case .bool(let flag) where types.contains("boolean"): return .bool(flag)
        case .string(let text) where types.contains("string"):
            guard allowed.isEmpty || allowed.contains(text) else { throw Misfit() }
            return .string(text)
        case .int(let number) where types.contains("integer"): return .int(number)
        case .int(let number) where types.contains("number"): return .double(Double(number))
        case .double(let number) where types.contains("number") && number.isFinite: return .double(number)
        case .double(let number) where types.contains("integer"):
            // A number below the range of `Int` can have the value of `Int.min` as a floating-point number.
            guard number > Double(Int.min), let number = Int(exactly: number) else { throw Misfit() }
            return .int(number)
        case .array(let values) where types.contains("array"): return .array(try list(of: values))
        case .object(let members) where types.contains("object"): return .object(try parameters(of: members))
        default: throw Misfit()
        }
    }

    private func list(of values: [JSONTree]) throws(Misfit) -> ParameterList {
        guard let shape = elements.first else {
            guard values.isEmpty else { throw Misfit() }
            return []
        }
        var list: [ParameterValue] = []
        for value in values { if let value = try shape.value(of: value) { list.append(value) } }
        return ParameterList(list)
    }

    private func parameters(of values: [(key: String, value: JSONTree)]) throws(Misfit) -> EventParameters {
        var parameters: [(ParameterKey, ParameterValue)] = []
        var missing = required.count
        for (name, value) in values {
            guard let member = members[name] else { throw Misfit() }
            if required.contains(name) { missing -= 1 }
            if let value = try member.shape.value(of: value) { parameters.append((member.key, value)) }
        }
        guard missing == 0 else { throw Misfit() }
        return EventParameters(parameters)
    }
}

extension JSONTree {
    /// The member of an object.
    fileprivate subscript(key: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// Returns the members of a schema without its annotations.
    ///
    /// The policy of a sensitive value is not an annotation here: a page could not keep it.
    fileprivate func members(at path: String, keywords: Set<String>) throws(WebBridgeError) -> [String: JSONTree] {
        guard case .object(let members) = self else { throw .malformedSchema(at: path) }
        var found: [String: JSONTree] = [:]
        for (key, value) in members where !["title", "description", "default"].contains(key) {
            if key.hasPrefix("x-"), key != "x-sensitive" { continue }
            guard keywords.contains(key) else { throw .unsupportedKeyword(key, at: path) }
            found[key] = value
        }
        return found
    }

    /// Returns a text, or the texts of a list.
    fileprivate func texts(at path: String) throws(WebBridgeError) -> [String] {
        if case .string(let text) = self { return [text] }
        guard case .array(let values) = self else { throw .malformedSchema(at: path) }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { throw .malformedSchema(at: path) }
            texts.append(text)
        }
        return texts
    }
}
