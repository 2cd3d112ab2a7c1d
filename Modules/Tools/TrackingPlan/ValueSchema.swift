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
        (types, members, required, elements, policy) = ([type], [:], [], [], nil)
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
        return merged
    }

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
    }
}
