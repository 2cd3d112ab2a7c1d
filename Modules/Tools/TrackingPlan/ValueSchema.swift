import CoreTracker

/// A JSON Schema of a value, derived from examples.
struct ValueSchema: Hashable {
    /// The JSON Schema types of the values, sorted.
    private(set) var types: [String]
    /// The schemas of the members of objects.
    private(set) var members: [String: ValueSchema]
    /// The names of the members that every object has.
    private(set) var required: Set<String>
    /// The schema of the elements of arrays.
    ///
    /// The array has at most one element.
    private(set) var elements: [ValueSchema]
    /// The policy of a sensitive value, or `nil` if the value is not sensitive.
    private(set) var policy: String?
    /// The meaning of the key, if the sources have one.
    private(set) var meaning: String?
    /// The allowed texts, or none if any is allowed.
    private(set) var values: [String] = []
    /// The text that the module's own tracker adds to an event without the key.
    private(set) var fallback: String?

    /// Creates the schema of parameters.
    init(ofParameters parameters: EventParameters) {
        self.init(type: "object")
        for parameter in parameters { members[parameter.key.name] = ValueSchema(of: parameter.value) }
        required = Set(members.keys)
        for parameter in parameters.sensitive { members[parameter.key.name] = ValueSchema(of: parameter) }
    }

    /// Creates the schema of a value.
    init(of value: ParameterValue) {
        switch value {
        case .string: self.init(type: "string")
        case .int: self.init(type: "integer")
        case .double: self.init(type: "number")
        case .bool: self.init(type: "boolean")
        case .object(let members): self.init(ofParameters: members)
        case .array(let values):
            self.init(type: "array")
            for value in values.map(ValueSchema.init) {
                elements = elements.isEmpty ? [value] : [elements[0].merged(with: value)]
            }
        }
    }

    /// Creates the schema of a sensitive value, as the service gets it.
    private init(of parameter: SensitiveParameter) {
        let purpose = if case .pass(let purpose) = parameter.policy { purpose.name } else { "" }
        if let value = parameter.redacted(for: purpose, hash: { _ in "" }) {
            self.init(of: value)
        } else {
            self.init(type: "null")
        }
        policy = "\(parameter.policy)"
    }

    private init(type: String) {
        (types, members, required, elements) = ([type], [:], [], [])
    }

    /// Returns a schema that allows the values of both schemas.
    func merged(with other: ValueSchema) -> ValueSchema {
        var merged = self
        merged.types = Set(types + other.types).sorted()
        // An integer is also a number.
        if merged.types.contains("number") { merged.types.removeAll { $0 == "integer" } }
        merged.members.merge(other.members) { $0.merged(with: $1) }
        merged.required = required.intersection(other.required)
        if !types.contains("object") { merged.required = other.required }
        if !other.types.contains("object") { merged.required = required }
        merged.elements = [elements, other.elements].joined().reduce([]) { elements, schema in
            elements.isEmpty ? [schema] : [elements[0].merged(with: schema)]
        }
        merged.policy = policy ?? other.policy
        merged.meaning = meaning ?? other.meaning
        merged.values =
            values.isEmpty || other.values.isEmpty ? [] : values + other.values.filter { !values.contains($0) }
        merged.fallback = fallback == other.fallback ? fallback : nil
        return merged
    }

    /// Adds the default parameters of the module's own tracker.
    mutating func add(defaults: EventParameters) {
        for parameter in defaults {
            guard case .string(let text) = parameter.value else { continue }
            members[parameter.key.name]?.fallback = text
        }
    }

    /// Adds the meanings and the allowed values of the keys, if the examples have no other value.
    mutating func add(_ note: (_ path: String) -> PlanNotes.Key?, examples: [ParameterValue], path: String = "") {
        let objects = examples.compactMap { value in if case .object(let members) = value { members } else { nil } }
        for key in members.keys {
            let own = path.isEmpty ? key : "\(path).\(key)"
            members[key]?.add(note, examples: objects.compactMap { $0[ParameterKey(key)] }, path: own)
        }
        for index in elements.indices {
            let lists = examples.flatMap { value -> [ParameterValue] in
                if case .array(let list) = value { Array(list) } else { [] }
            }
            elements[index].add(note, examples: lists, path: path + "[]")
        }
        guard !path.isEmpty, let key = note(path) else { return }
        if !path.hasSuffix("[]") { meaning = key.meaning }
        let allowed = key.values.map(\.value)
        let isFixed = examples.allSatisfy { value in
            if case .string(let text) = value { allowed.contains(text) } else { false }
        }
        if types == ["string"], policy == nil, isFixed { values = allowed }
    }

    /// The text that the generated code sends for a key that every event has, if a caller states none.
    ///
    /// It is `nil` if the value has another type than text, or if the text is not allowed.
    var codeFallback: String? {
        guard let fallback, types == ["string"], values.isEmpty || values.contains(fallback) else { return nil }
        return fallback
    }

    /// Whether a caller of the generated code must state a value for a key that every event has.
    var isStated: Bool { !types.contains("null") && codeFallback == nil }

    /// Returns all nested keys, each with its path such as `items[].price`, its schema and whether it is always
    /// present.
    func keys(below path: String = "") -> [(path: String, schema: ValueSchema, isAlways: Bool)] {
        var keys: [(path: String, schema: ValueSchema, isAlways: Bool)] = []
        for (key, schema) in members.sorted(by: { $0.key < $1.key }) {
            let own = path.isEmpty ? key : "\(path).\(key)"
            keys.append((own, schema, required.contains(key)))
            keys += schema.keys(below: own)
            for element in schema.elements { keys += element.keys(below: own + "[]") }
        }
        return keys
    }

    /// The type as text, such as `string` or `array of object`.
    var typeText: String {
        types.map { type in
            guard type == "array" else { return type }
            return "array of \(elements.first?.typeText ?? "nothing")"
        }.joined(separator: " or ")
    }
}

extension ValueSchema: Codable {
    private enum CodingKeys: String, CodingKey {
        case type, properties, required, items
        case policy = "x-sensitive"
        case meaning = "description"
        case values = "enum"
        case fallback = "default"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let type = try? container.decode(String.self, forKey: .type) {
            types = [type]
        } else {
            types = try container.decode([String].self, forKey: .type)
        }
        members = try container.decodeIfPresent([String: ValueSchema].self, forKey: .properties) ?? [:]
        required = Set(try container.decodeIfPresent([String].self, forKey: .required) ?? [])
        elements = try container.decodeIfPresent(ValueSchema.self, forKey: .items).map { [$0] } ?? []
        policy = try container.decodeIfPresent(String.self, forKey: .policy)
        meaning = try container.decodeIfPresent(String.self, forKey: .meaning)
        values = try container.decodeIfPresent([String].self, forKey: .values) ?? []
        fallback = try container.decodeIfPresent(String.self, forKey: .fallback)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if types.count == 1 {
            try container.encode(types[0], forKey: .type)
        } else {
            try container.encode(types, forKey: .type)
        }
        if types.contains("object") {
            try container.encode(members, forKey: .properties)
            try container.encode(required.sorted(), forKey: .required)
        }
        try container.encodeIfPresent(elements.first, forKey: .items)
        try container.encodeIfPresent(policy, forKey: .policy)
        try container.encodeIfPresent(meaning, forKey: .meaning)
        if !values.isEmpty { try container.encode(values, forKey: .values) }
        try container.encodeIfPresent(fallback, forKey: .fallback)
    }
}
