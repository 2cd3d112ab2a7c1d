import CPages
import CoreTracker

/// The page of a plan, which makes no requests and is readable without its script.
///
/// Each event has a comment with its product and type. A live inspector replaces the comment with the event's count.
struct PlanPage {
    private let plan: Plan
    private let examples: [ExampleBody]
    private let services: [CheckedService]
    private let changes: [PlanChange]
    private let notes: PlanNotes

    /// Creates a page.
    ///
    /// If there are changes, the page starts with those that break consumers.
    init(
        of plan: Plan,
        examples: [ExampleBody],
        at services: [CheckedService],
        changes: [PlanChange] = [],
        notes: PlanNotes = PlanNotes()
    ) {
        self.plan = plan
        self.examples = examples
        self.services = services
        self.changes = changes
        self.notes = notes
    }

    /// The HTML document.
    var html: String {
        let count = plan.eventsInOrder.count
        var body = "<h1>Tracking plan</h1>\n"
        body += "<p>\(count) events of \(plan.modules.count) modules, derived from the examples of the events. "
        body += "<code>Scripts/tracking-plan</code> writes this page.</p>\n"
        body += changeList + overview
        body += groups("h2", hasAnchors: true) { $0.map(section).joined() }
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>Tracking plan</title>
            <style>
            \(PlanPage.style)</style>
            </head>
            <body>
            <nav aria-label="Events">
            <p id="search" hidden><input type="search" aria-label="Search events and keys" placeholder="Search  /">
            \(choice("Product", plan.products.map { ($0, notes.name(of: $0)) }))
            \(choice("Service", plan.services.map { ($0, $0) }))</p>
            <details open><summary><output>\(count) events</output></summary>
            \(contents)<p><a href="#rules">Rules and defaults</a></p>
            </details>
            </nav>
            <main>
            \(body)\(rules)</main>
            <script>
            \(PlanPage.script)</script>
            </body>
            </html>

            """
    }

    private var changeList: String {
        guard !changes.isEmpty else { return "" }
        let ordered = changes.filter(\.breaksConsumers) + changes.filter { !$0.breaksConsumers }
        let items = ordered.map { change in
            let mark = change.breaksConsumers ? "<strong class=\"breaks\">breaks \(change.platforms)</strong> " : ""
            return "<li>\(mark)\(change.text.escaped)</li>\n"
        }
        return "<h2>Changes</h2>\n<ul>\n\(items.joined())</ul>\n"
    }

    /// The number of events of each product at each service, with links that filter the page.
    private var overview: String {
        let head = plan.products.map { product in
            "<th scope=\"col\"><a href=\"#\(product.escaped)\">\(notes.name(of: product).escaped)</a></th>"
        }
        let lines = ([nil] + plan.services).map { service in
            let cells = plan.products.map { product in
                let count = plan.eventsInOrder.filter { entries in
                    entries[0].product == product && (service == nil || entries.contains { $0.service == service })
                }.count
                let filter = "data-product=\"\(product.escaped)\" data-service=\"\((service ?? "").escaped)\""
                return count == 0 ? "<td></td>" : "<td><a href=\"#\(product.escaped)\" \(filter)>\(count)</a></td>"
            }
            return "<tr><th scope=\"row\">\((service ?? "all services").escaped)</th>\(cells.joined())</tr>\n"
        }
        return "<table id=\"overview\"><caption>Events by product and service</caption>\n"
            + "<tr><td></td>\(head.joined())</tr>\n\(lines.joined())</table>\n"
    }

    /// Returns a field that filters the page, which the script shows.
    private func choice(_ title: String, _ values: [(value: String, title: String)]) -> String {
        let options = values.map { "<option value=\"\($0.value.escaped)\">\($0.title.escaped)</option>" }
        let all = "<option value=\"\">All \(title.lowercased())s</option>"
        return "<select id=\"\(title.lowercased())\" aria-label=\"\(title)\">\(all)\(options.joined())</select>"
    }

    /// Returns a heading for each product and each of its modules, with the text of the module's events.
    private func groups(_ heading: String, hasAnchors: Bool, _ text: ([[PlanEntry]]) -> String) -> String {
        let below = heading == "h2" ? "h3" : "h4"
        return plan.products.map { product in
            let modules = plan.modules(of: product).map { module in
                let events = plan.eventsInOrder.filter { ($0[0].product, $0[0].module) == (product, module) }
                let title = "<\(below) class=\"module\">\(module.escaped)</\(below)>"
                return "<div class=\"group\">\n\(title)\n\(text(events))</div>\n"
            }
            let anchor = hasAnchors ? " id=\"\(product.escaped)\"" : ""
            let title = "<\(heading)\(anchor)>\(notes.name(of: product).escaped)</\(heading)>"
            return "<div class=\"group\">\n\(title)\n\(modules.joined())</div>\n"
        }.joined()
    }

    /// The index of products, modules and events.
    private var contents: String {
        groups("h3", hasAnchors: false) { events in
            let items = events.map { entries in
                let first = entries[0]
                let mark = notes.event(of: first).deprecated == nil ? "" : " <span class=\"breaks\">deprecated</span>"
                let link = link(to: first.event, in: first, title: first.title)
                return "<li>\(link)\(mark) \(marker(of: first))</li>\n"
            }
            return "<ul>\n\(items.joined())</ul>\n"
        }
    }

    /// Returns the id of the section of an event of an entry's product.
    private func anchor(of event: String, in entry: PlanEntry) -> String { "\(entry.product).\(event)".escaped }

    private func link(to event: String, in entry: PlanEntry, title: String) -> String {
        "<a href=\"#\(anchor(of: event, in: entry))\">\(title.escaped)</a>"
    }

    /// Returns the placeholder for an event's count: a comment, replaced by a live inspector.
    ///
    /// The inspector searches for the same text.
    private func marker(of entry: PlanEntry) -> String {
        "<!-- seen \(entry.product.escaped) \(entry.event.escaped) -->"
    }

    private func section(of entries: [PlanEntry]) -> String {
        let first = entries[0]
        let services = entries.map(service).joined()
        return """
            <section id="\(anchor(of: first.event, in: first))" data-product="\(first.product.escaped)">
            <h4>\(first.title.escaped) \(marker(of: first))</h4>
            <dl>
            \(facts(on: first))</dl>
            <div class="services">
            \(services)</div>
            </section>

            """
    }

    /// Returns the facts about an event that apply to all services.
    private func facts(on entry: PlanEntry) -> String {
        let event = notes.event(of: entry)
        let replacement = event.replacement.map { type in
            let isPlanned = plan.entries.contains { $0.product == entry.product && $0.event == type }
            let name = isPlanned ? link(to: type, in: entry, title: type) : type.escaped
            return ", replaced by \(name)"
        }
        let facts: [(String, String?)] = [
            ("Type", "<code>\(entry.event.escaped)</code>"),
            ("When", event.occasion?.escaped),
            ("Answers", entry.purpose.escaped),
            ("Owner", entry.owner.escaped),
            ("Introduced", event.introduced?.escaped),
            ("Deprecated", event.deprecated.map { "<span class=\"breaks\">\($0.escaped)</span>\(replacement ?? "")" }),
        ]
        return facts.compactMap { name, text in text.map { "<dt>\(name)</dt><dd>\($0)</dd>\n" } }.joined()
    }

    private func service(of entry: PlanEntry) -> String {
        let head = "<tr><th scope=\"col\">Key</th><th scope=\"col\">Type</th></tr>\n"
        let bodies = examples.filter { $0.isExample(of: entry) }.map { "<pre>\($0.text.escaped)</pre>\n" }
        let summary = bodies.count == 1 ? "an example" : "\(bodies.count) examples"
        let details = "<details><summary>\(summary)</summary>\n\(bodies.joined())</details>\n"
        return """
            <div data-service="\(entry.service.escaped)">
            <h5>\(entry.service.escaped) <code>\(entry.name.escaped)</code></h5>
            <table>
            \(head)\(rows(of: entry))</table>
            \(bodies.isEmpty ? "" : details)</div>

            """
    }

    /// Returns the rows of an entry's keys.
    ///
    /// Numbered keys of one type, such as `level2` to `level5`, are one row.
    private func rows(of entry: PlanEntry) -> String {
        var rows: [(paths: [String], type: String)] = []
        for (path, schema, isAlways) in entry.parameters.keys() {
            let policy = schema.policy.map { "<br>sensitive: \($0.escaped)" } ?? ""
            let type = schema.typeText.escaped + (isAlways ? "" : ", optional") + policy
            if let last = rows.last, last.type == type, let stem = path.stemOfNumber, last.paths[0].stemOfNumber == stem
            {
                rows[rows.count - 1].paths.append(path)
            } else {
                rows.append(([path], type))
            }
        }
        return rows.map { "<tr><td>\(key($0.paths, of: entry))</td><td>\($0.type)</td></tr>\n" }.joined()
    }

    /// Returns the first and the last of some keys, with the meaning and the allowed values of the first.
    private func key(_ paths: [String], of entry: PlanEntry) -> String {
        let codes = Set([paths[0], paths[paths.count - 1]]).sorted().map { "<code>\($0.escaped)</code>" }
        let code = codes.joined(separator: " to ")
        guard let note = notes.key(paths[0], of: entry) else { return code }
        let values = note.values.map { value in
            "<li><code>\(value.value.escaped)</code> \(value.meaning.escaped)</li>"
        }
        return code + "<br>\(note.meaning.escaped)" + (values.isEmpty ? "" : "<ul>\(values.joined())</ul>")
    }

    /// The rules and default parameters of each product and service.
    private var rules: String {
        let kept = plan.entries.reduce(into: [PlanEntry]()) { kept, entry in
            guard !kept.contains(where: { ($0.product, $0.service) == (entry.product, entry.service) }) else { return }
            kept.append(entry)
        }
        let lines = kept.sorted { ($0.product, $0.service) < ($1.product, $1.service) }.map { entry in
            let defaults = self.services.first { $0.accepts(entry.service, of: entry.product) }?.defaults ?? []
            let keys = defaults.map { "<li>\(key([$0], of: entry))</li>\n" }
            return "<h3>\(notes.name(of: entry.product).escaped), \(entry.service.escaped)</h3>\n<p>Default parameters"
                + (keys.isEmpty ? ": none.</p>\n" : ", which each event carries:</p>\n<ul>\n\(keys.joined())</ul>\n")
                + "<p>Rules: \(entry.rules.escaped).</p>\n"
        }
        return "<h2 id=\"rules\">Rules and defaults</h2>\n\(lines.joined())"
    }
}

extension PlanPage {
    private static let style = unsafe String(cString: cpages_plan_style())

    /// A script that shows the events whose sections contain all words of the search.
    ///
    /// On a phone, the index is collapsed until it is tapped.
    private static let script = unsafe String(cString: cpages_plan_script())
}

extension String {
    /// The text before the number at its end, or `nil` without a number.
    fileprivate var stemOfNumber: Substring? {
        let stem = self[..<(lastIndex { !$0.isNumber }.map { index(after: $0) } ?? startIndex)]
        return stem.endIndex == endIndex ? nil : stem
    }

    /// The text with HTML characters escaped.
    fileprivate var escaped: String {
        // By scalars, because a combining mark would hide the character before it.
        unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(scalar)
            }
        }
        .joined()
    }
}
