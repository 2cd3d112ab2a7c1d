import CoreTracker
import EventDelivery
import EventTracking

extension Plan {
    /// The SQL of ClickHouse views: one with typed columns for each in-house event, one with the names of these events,
    /// and one with the rows that break the plan.
    ///
    /// The functions exist in release 18.16. They read the spelling of one writer, and find a key at any depth, so each
    /// view first gives the parameters that spelling and hides the keys of nested values.
    var views: String {
        var taken: Set<String> = []
        let views = received.compactMap { PlanView(of: $0) }.filter { taken.insert($0.identifier).inserted }
        let others = [Plan.events(of: views), Plan.violations(of: views)]
        return Plan.viewsHeader + (views.map(\.statement) + others).joined(separator: "\n")
    }

    private static let viewsHeader = """
        -- Typed views of the in-house events, generated from the tracking plan by Scripts/tracking-plan.
        --
        -- For ClickHouse 18.16 and later. A column is NULL if the row lacks the key or its value has another type; the
        -- view `plan_violations` names such rows. The rows may be of any program that writes JSON, because `json` is
        -- `props` without spaces between the values, and with a space before the colon of each nested key: visitParam
        -- finds a key by its quotes and the colon after them, at any depth. In current releases, keys that are written
        -- with escapes, such as "pr\\u0069ce", can be read too: sed s/visitParam/JSON/g


        """

    private static func events(of views: [PlanView]) -> String {
        // The first pair gives the array its type if the plan is empty.
        let names = ["('', '')"] + views.map { "(\(SQL.text($0.product)), \(SQL.text($0.name)))" }
        return """
            DROP TABLE IF EXISTS awesome.plan_events;

            CREATE VIEW awesome.plan_events AS
            SELECT event.1 AS product, event.2 AS name
            FROM
            (
                SELECT arrayJoin([
                    \(names.joined(separator: ",\n        "))]) AS event
            )
            WHERE name != '';

            """
    }

    private static func violations(of views: [PlanView]) -> String {
        let updates = ProfileUpdate.allCases.map { SQL.text($0.rawValue) }.joined(separator: ", ")
        let checks =
            views.map(\.check) + [
                "    SELECT product, name, app_version, event_id, 'unknown event' AS rule\n"
                    + "    FROM awesome.events FINAL\n    WHERE name NOT IN (\(updates))"
                    + " AND (product, name) GLOBAL NOT IN (SELECT product, name FROM awesome.plan_events)"
            ]
        return """
            DROP TABLE IF EXISTS awesome.plan_violations;

            CREATE VIEW awesome.plan_violations AS
            SELECT product, name, app_version, event_id, rule
            FROM
            (
            \(checks.joined(separator: "\n    UNION ALL\n"))
            )
            WHERE rule != '';

            """
    }
}

/// A view of one in-house event.
private struct PlanView {
    private static let envelope = [
        "event_id", "ts_ms", "seq", "session_id", "device_id", "user_id", "app_version", "received_at", "platform",
        "country",
    ]
    /// Names that a statement has for other values, where the name of a column would hide them.
    private static let used = Set(envelope).union([
        "product", "name", "props", "json", "json_part", "json_parts", "json_depth", "json_depths",
    ])

    let product: String
    let name: String
    private let parameters: ValueSchema

    /// Creates the view of an entry, or returns `nil` if the entry is of another service.
    init?(of entry: PlanEntry) {
        guard entry.service == LaneID.awesomeTracking(product: entry.product).service else { return nil }
        (product, name, parameters) = (entry.product, entry.name, entry.parameters)
    }

    var identifier: String { "\(product)_\(name)" }

    var statement: String {
        let columns = PlanView.envelope.joined(separator: ", ")
        let typed = keys.map { key, schema in
            let value = "if(\(SQL.isValid(key, schema)), \(SQL.value(key, schema)), NULL)"
            return ",\n    \(value) AS \(SQL.identifier(column(of: key)))"
        }
        let view = "awesome.\(SQL.identifier(identifier))"
        return """
            DROP TABLE IF EXISTS \(view);

            CREATE VIEW \(view) AS
            WITH
            \(SQL.json)
            SELECT
                \(columns)\(typed.joined())
            FROM awesome.events FINAL
            WHERE \(condition);

            """
    }

    /// A query of the rules broken by the event's rows.
    ///
    /// A row without a fault has an empty rule.
    var check: String {
        let rules = keys.map { key, schema in
            let absent = parameters.required.contains(key) ? "missing \(key)" : ""
            let fault = "if(\(SQL.isValid(key, schema)), '', \(SQL.text("type of \(key)")))"
            return "if(\(SQL.raw(key)) = '', \(SQL.text(absent)), \(fault))"
        }
        return """
                WITH
                \(SQL.json.split(separator: "\n").joined(separator: "\n    "))
                SELECT product, name, app_version, event_id, arrayJoin([
                    \((rules + ["''"]).joined(separator: ",\n        "))]) AS rule
                FROM awesome.events FINAL
                WHERE \(condition)
            """
    }

    /// Returns the name of a key's column, which is the key unless the statement has another value of that name.
    private func column(of key: String) -> String {
        guard PlanView.used.contains(key) else { return key }
        var name = "props_" + key
        while parameters.members[name] != nil { name = "props_" + name }
        return name
    }

    private var condition: String { "product = \(SQL.text(product)) AND name = \(SQL.text(name))" }

    private var keys: [(key: String, value: ValueSchema)] { parameters.members.sorted { $0.key < $1.key } }
}

/// The spelling of names and values in ClickHouse's SQL.
private enum SQL {
    /// The parameters as `json`, with only the keys of the top level in the spelling that `visitParam` finds.
    ///
    /// Most rows need no change, and are not split into their tokens: brackets, colons, texts, and what is between them.
    static let json = #"""
            extractAll(if(match(props, '.\\{|[{}\\[\\],:"]\\s|\\s[{}\\[\\],:"]'), props, ''),
                '[{}\\[\\]:]|"(?:[^"\\\\]|\\\\.)*"|[^\\s{}\\[\\]:"]+') AS json_parts,
            arrayCumSum(json_part -> (json_part IN ('{', '[')) - (json_part IN ('}', ']')), json_parts) AS json_depths,
            if(empty(json_parts), props, arrayStringConcat(arrayMap((json_part, json_depth) ->
                if(json_part = ':' AND json_depth > 1, ' :', json_part), json_parts, json_depths))) AS json
        """#

    /// The JSON text of a key's value, which is empty if there is no such key.
    static func raw(_ key: String) -> String { read(key, as: "Raw") }

    /// A value as its column has it.
    ///
    /// A list, an object, and a value of several types are JSON text.
    static func value(_ key: String, _ schema: ValueSchema) -> String {
        let functions = ["string": "String", "integer": "Int", "number": "Float", "boolean": "Bool"]
        return read(key, as: schema.types.count == 1 ? functions[schema.types[0]] ?? "Raw" : "Raw")
    }

    /// A condition that holds if a key's value has the type of the plan, and fails if there is no such key.
    static func isValid(_ key: String, _ schema: ValueSchema) -> String {
        let raw = raw(key)
        switch schema.types.count == 1 ? schema.types[0] : "" {
        case "string": return "match(\(raw), '^\"')"
        // The number is compared with its text, because release 18.16 reads one beyond Int64 as another number.
        case "integer": return "toString(\(read(key, as: "Int"))) = replaceRegexpOne(\(raw), '\\\\.0+$', '')"
        case "number": return "match(\(raw), '^-?[0-9]')"
        case "boolean": return "\(raw) IN ('true', 'false')"
        case "array": return "match(\(raw), '^\\\\[')"
        case "object": return "match(\(raw), '^\\\\{')"
        default: return "\(raw) != ''"
        }
    }

    private static func read(_ key: String, as type: String) -> String {
        "visitParamExtract\(type)(json, \(text(key)))"
    }

    static func text(_ text: String) -> String { quoted(text, by: "'") }

    static func identifier(_ name: String) -> String { quoted(name, by: "`") }

    private static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
        // By scalars, because a combining mark would hide the quote before it.
        let escaped = text.unicodeScalars.map { $0 == quote || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\(quote)\(escaped.joined())\(quote)"
    }
}
