import CoreTracker
import LoopbackCollector

/// A validator that compares events with the JSON Schemas of the tracking plan.
///
/// It supports the keywords that plans use.
enum PlanFindings {
    /// Returns the differences between parameters and their schema.
    ///
    /// The plan of an event does not list the product's defaults. Unknown keys are therefore only reported if they are
    /// known to be the event's own.
    ///
    /// - Parameters:
    ///   - parameters: The parameters, including defaults.
    ///   - schema: The JSON Schema of the planned parameters.
    ///   - ownKeys: The keys of the event itself.
    /// - Returns: The findings, in the order of the keys.
    static func findings(
        in parameters: CollectedValue,
        schema: CollectedValue,
        ownKeys: Set<String> = []
    ) -> [Finding] {
        check(parameters, schema, path: "") { ownKeys.contains($0) }
    }

    /// The code of ``personal(in:)``.
    static let personalKey = "personal_key"

    /// Returns a finding for each parameter whose name suggests a secret or personal data, unless its value is a hash.
    ///
    /// - Parameter parameters: The parameters, including nested ones.
    static func personal(in parameters: CollectedValue) -> [Finding] {
        personal(in: parameters, path: "")
    }

    private static func personal(in value: CollectedValue, path: String) -> [Finding] {
        switch value {
        case .object(let members):
            members.sorted { $0.key < $1.key }.flatMap { key, member in
                let place = path.isEmpty ? key : "\(path).\(key)"
                let isPlain = ParameterKey(key).suggestsPersonalData && !isHash(member) && member != .null
                let text = "The name suggests a secret or personal data, and the value is sent as it is."
                let finding = Finding(severity: .warning, source: .plan, code: personalKey, path: place, text: text)
                return (isPlain ? [finding] : []) + personal(in: member, path: place)
            }
        case .array(let elements):
            elements.enumerated().flatMap { personal(in: $1, path: "\(path)[\($0)]") }
        case .null, .bool, .int, .double, .string: []
        }
    }

    /// Whether a value is the hash of a sensitive value: 64 hexadecimal digits.
    private static func isHash(_ value: CollectedValue) -> Bool {
        guard case .string(let text) = value else { return false }
        return text.utf8.count == 64 && text.allSatisfy(\.isHexDigit)
    }

    /// The code of ``unknown(_:)``.
    static let notInPlan = "not_in_plan"

    /// The names that services get for traits, groups and aliases, which are no events of the plan.
    static let profileUpdates: Set = ["$identify", "$group", "$alias", "traits_updated"]

    /// Returns the finding for an event whose name is not in the plan.
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
        if case .array(let allowed)? = schema["enum"], !allowed.contains(value) {
            let texts = allowed.compactMap(\.string).map { "“\($0)”" }.joined(separator: ", ")
            let text = "The plan allows only \(texts)."
            return [Finding(severity: .error, source: .plan, code: "value", path: path, text: text)]
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

    /// Returns whether a value has a type.
    ///
    /// Some vendors send Booleans as 1 and 0.
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
