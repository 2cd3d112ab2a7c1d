import CoreTracker
import EventDelivery
import EventDeliveryAPI

extension Plan {
    /// The SQL of ClickHouse views: one with typed columns for each in-house event, and one with the rows that break
    /// the plan.
    ///
    /// The functions exist in release 18.16. They find a key at any depth, so a key that also occurs in a nested value
    /// is read with a function of current releases.
    var views: String {
        var taken: Set<String> = []
        let views = received.compactMap { PlanView(of: $0) }.filter { taken.insert($0.identifier).inserted }
        return Plan.viewsHeader + (views.map(\.statement) + [Plan.violations(of: views)]).joined(separator: "\n")
    }

    private static let viewsHeader = """
        -- Typed views of the in-house events, generated from the tracking plan by Scripts/tracking-plan.
        --
        -- For ClickHouse 18.16 and later. A missing number is NULL. In current releases, JSONExtract reads only keys at
        -- the top level and can replace visitParamExtract everywhere: sed s/visitParam/JSON/g


        """

    private static func violations(of views: [PlanView]) -> String {
        let known = views.map { "(\(SQL.text($0.product)), \(SQL.text($0.name)))" }.joined(separator: ", ")
        let updates = ProfileUpdate.allCases.map { SQL.text($0.rawValue) }.joined(separator: ", ")
        let unknown =
            "\n    WHERE name NOT IN (\(updates))"
            + (known.isEmpty ? "" : " AND (product, name) NOT IN (\(known))")
        let checks =
            views.map(\.check) + [
                "    SELECT product, name, app_version, event_id, 'unknown event' AS rule\n"
                    + "    FROM awesome.events FINAL\(unknown)"
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
            let name = PlanView.envelope.contains(key) ? "props_" + key : key
            return ",\n    \(value(of: key, schema)) AS \(SQL.identifier(name))"
        }
        let view = "awesome.\(SQL.identifier(identifier))"
        return """
            DROP TABLE IF EXISTS \(view);

            CREATE VIEW \(view) AS
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
            let type = schema.types.count == 1 ? SQL.patterns[schema.types[0]] : nil
            let value = "\(function("ExtractRaw", key))(props, \(SQL.text(key)))"
            let fault = type.map { "if(match(\(value), \(SQL.text($0))), '', \(SQL.text("type of \(key)")))" } ?? "''"
            return "if(\(function("Has", key))(props, \(SQL.text(key))), \(fault), \(SQL.text(absent)))"
        }
        return """
                SELECT product, name, app_version, event_id, arrayJoin([
                    \((rules + ["''"]).joined(separator: ",\n        "))]) AS rule
                FROM awesome.events FINAL
                WHERE \(condition)
            """
    }

    private var condition: String { "product = \(SQL.text(product)) AND name = \(SQL.text(name))" }

    private var keys: [(key: String, value: ValueSchema)] { parameters.members.sorted { $0.key < $1.key } }

    private func value(of key: String, _ schema: ValueSchema) -> String {
        let type = schema.types.count == 1 ? SQL.functions[schema.types[0]] ?? "Raw" : "Raw"
        let value = "\(function("Extract" + type, key))(props, \(SQL.text(key)))"
        guard ["Int", "Float"].contains(type), !parameters.required.contains(key) else { return value }
        return "if(\(function("Has", key))(props, \(SQL.text(key))), \(value), NULL)"
    }

    private func function(_ ending: String, _ key: String) -> String {
        let isNested = parameters.keys().contains { path, _, _ in path.hasSuffix(".\(key)") }
        return (isNested ? "JSON" : "visitParam") + ending
    }
}

/// The spelling of names and values in ClickHouse's SQL.
private enum SQL {
    /// The ends of the names of functions by JSON type.
    ///
    /// Other types are read as JSON text.
    static let functions = ["string": "String", "integer": "Int", "number": "Float", "boolean": "Bool"]
    /// The beginnings of values in JSON, by JSON type.
    static let patterns = [
        "string": "^\"", "integer": "^-?[0-9]+$", "number": "^-?[0-9]", "boolean": "^(true|false)$", "array": "^\\[",
        "object": "^\\{",
    ]

    static func text(_ text: String) -> String { quoted(text, by: "'") }

    static func identifier(_ name: String) -> String { quoted(name, by: "`") }

    private static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
        // By scalars, because a combining mark would hide the quote before it.
        let escaped = text.unicodeScalars.map { $0 == quote || $0 == "\\" ? "\\\($0)" : "\($0)" }
        return "\(quote)\(escaped.joined())\(quote)"
    }
}
