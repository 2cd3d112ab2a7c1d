import LoopbackCollector

/// Holds an event to the tracking plan's JSON Schema: the part of it that the plan uses.
enum PlanFindings {
    /// Says where parameters, defaults among them, differ from their schema.
    ///
    /// Keys that the schema does not know are found only among those that are known to be the event's own: the plan of
    /// an event does not list the product's defaults.
    static func findings(
        in parameters: CollectedValue,
        schema: CollectedValue,
        ownKeys: Set<String> = []
    ) -> [Finding] {
        check(parameters, schema, path: "") { ownKeys.contains($0) }
    }

    /// The code of ``unknown(_:)``.
    static let notInPlan = "not_in_plan"

    /// The finding of an event whose name is not in the plan.
    static func unknown(_ name: String) -> Finding {
        Finding(
            severity: .warning,
            source: .plan,
            code: notInPlan,
            path: name,
            text: "The plan has no event of this name at this service."
        )
    }

    private static func check(
        _ value: CollectedValue,
        _ schema: CollectedValue,
        path: String,
        isOwn: (String) -> Bool
    ) -> [Finding] {
        let types = types(of: schema)
        guard types.isEmpty || types.contains(where: { matches(value, $0) }) else {
            let text =
                "The planned type is \(types.joined(separator: " or ")); this value is of type \(name(of: value))."
            return [Finding(severity: .error, source: .plan, code: "type", path: path, text: text)]
        }
        switch value {
        case .object(let members): return check(members, schema, path: path, isOwn: isOwn)
        case .array(let elements):
            guard let schema = schema["items"] else { return [] }
            return elements.enumerated().flatMap { check($1, schema, path: "\(path)[\($0)]", isOwn: isOwn) }
        default: return []
        }
    }

    private static func check(
        _ members: [String: CollectedValue],
        _ schema: CollectedValue,
        path: String,
        isOwn: (String) -> Bool
    ) -> [Finding] {
        let prefix = path.isEmpty ? "" : path + "."
        var findings: [Finding] = []
        if case .array(let required)? = schema["required"] {
            for key in required.compactMap(\.string) where members[key] == nil {
                let text = "The plan lists this parameter as always present."
                findings.append(
                    Finding(severity: .error, source: .plan, code: "missing", path: prefix + key, text: text)
                )
            }
        }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let keyIsOwn = isOwn(key)
            if let schema = schema["properties"]?[key] {
                findings += check(value, schema, path: prefix + key) { _ in keyIsOwn }
            } else if keyIsOwn {
                let text = "The plan does not list this parameter."
                findings.append(
                    Finding(severity: .warning, source: .plan, code: "unplanned_key", path: prefix + key, text: text)
                )
            }
        }
        return findings
    }

    private static func types(of schema: CollectedValue) -> [String] {
        switch schema["type"] {
        case .string(let type)?: [type]
        case .array(let types)?: types.compactMap(\.string)
        default: []
        }
    }

    /// Whether a value has a type; on the wire, some vendors take 1 and 0 for a Boolean.
    private static func matches(_ value: CollectedValue, _ type: String) -> Bool {
        switch (value, type) {
        case (.string, "string"), (.int, "integer"), (.int, "number"), (.double, "number"), (.bool, "boolean"),
            (.array, "array"), (.object, "object"), (.null, "null"), (.int(0...1), "boolean"):
            true
        default: false
        }
    }

    private static func name(of value: CollectedValue) -> String {
        switch value {
        case .null: "null"
        case .bool: "boolean"
        case .int: "integer"
        case .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
