extension Plan {
    /// The plan as a Markdown page.
    var markdown: String {
        var lines = [
            "# Tracking plan", "",
            "Derived from the examples of the events. After a change to an event, run `Scripts/tracking-plan` again.",
            "",
            "| product | module | event | owner | services |", "|---|---|---|---|---|",
        ]
        for entries in eventsInOrder {
            let calls = entries.map { "\($0.service) `\($0.name)`" }.joined(separator: ", ")
            let first = entries[0]
            let event = "\(first.title) (`\(first.event)`)"
            lines.append(Plan.row([first.product, first.module, event, first.owner, calls]))
        }
        lines += rulesInOrder
        for module in modules {
            lines += ["", "## \(module)"]
            for entries in eventsInOrder where entries[0].module == module { lines += Plan.section(of: entries) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The entries, grouped by product and event.
    var eventsInOrder: [[PlanEntry]] {
        entries.reduce(into: []) { events, entry in
            if let last = events.last?.first,
                (last.product, last.module, last.event) == (entry.product, entry.module, entry.event)
            {
                events[events.count - 1].append(entry)
            } else {
                events.append([entry])
            }
        }
    }

    private var rulesInOrder: [String] {
        var rules: [String] = []
        for entry in entries {
            let line = Plan.row([entry.product, entry.service, entry.rules])
            if !rules.contains(line) { rules.append(line) }
        }
        return ["", "Each example complies with these rules:", "", "| product | service | rules |", "|---|---|---|"]
            + rules.sorted()
    }

    private static func section(of entries: [PlanEntry]) -> [String] {
        let first = entries[0]
        var lines = ["", "### \(first.title)", "", "`\(first.event)`, owned by \(first.owner). \(first.purpose)", ""]
        lines += ["| service | name | key | type | always |", "|---|---|---|---|---|"]
        for entry in entries {
            let keys = entry.parameters.keys()
            if keys.isEmpty { lines.append(row([entry.service, "`\(entry.name)`", "", "", ""])) }
            for (path, schema, isAlways) in keys {
                let type = schema.typeText + (schema.policy.map { ", sensitive: \($0)" } ?? "")
                lines.append(row([entry.service, "`\(entry.name)`", "`\(path)`", type, isAlways ? "yes" : "no"]))
            }
        }
        return lines
    }

    /// Returns a row of a table, in which neither a bar nor a line break ends a cell.
    private static func row(_ cells: [String]) -> String {
        let cells = cells.map { cell in
            let text = cell.replacing("|", with: "\\|").replacing(#/\s+/#, with: " ")
            return text.isEmpty ? "" : text + " "
        }
        return "| " + cells.joined(separator: "| ") + "|"
    }
}
