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
        body += changeList
        for module in plan.modules {
            let events = plan.eventsInOrder.filter { $0[0].module == module }
            body += "<h2 id=\"\(module.escaped)\">\(module.escaped)</h2>\n" + events.map(section).joined()
        }
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
            <output></output></p>
            <details open><summary>\(count) events</summary>
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

    /// The index of modules and events.
    private var contents: String {
        plan.modules.map { module in
            let items = plan.eventsInOrder.filter { $0[0].module == module }.map { entries in
                let first = entries[0]
                let mark = notes.event(of: first).deprecated == nil ? "" : " <span class=\"breaks\">deprecated</span>"
                let link = link(to: first.event, in: first, title: first.title)
                return "<li>\(link)\(mark) \(marker(of: first))</li>\n"
            }
            return "<h4>\(module.escaped)</h4>\n<ul>\n\(items.joined())</ul>\n"
        }.joined()
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
            <section id="\(anchor(of: first.event, in: first))">
            <h3>\(first.title.escaped) \(marker(of: first))</h3>
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
        let lines = entry.parameters.keys().map { path, schema, isAlways in
            let policy = schema.policy.map { "<br>sensitive: \($0.escaped)" } ?? ""
            let about = key(path, of: entry)
            return "<tr><td>\(about)</td><td>\(schema.typeText.escaped)\(policy)</td>"
                + "<td>\(isAlways ? "always" : "sometimes")</td></tr>\n"
        }
        let head = "<tr><th>key</th><th>type</th><th>comes</th></tr>\n"
        let bodies = examples.filter { $0.isExample(of: entry) }.map { "<pre>\($0.text.escaped)</pre>\n" }
        let summary = bodies.count == 1 ? "an example" : "\(bodies.count) examples"
        let details = "<details><summary>\(summary)</summary>\n\(bodies.joined())</details>\n"
        return """
            <div>
            <h4>\(entry.service.escaped) <code>\(entry.name.escaped)</code></h4>
            <table>
            \(head)\(lines.joined())</table>
            \(bodies.isEmpty ? "" : details)</div>

            """
    }

    /// Returns a key with its meaning and its allowed values.
    private func key(_ path: String, of entry: PlanEntry) -> String {
        let code = "<code>\(path.escaped)</code>"
        guard let note = notes.key(path, of: entry) else { return code }
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
            let keys = defaults.map { "<li>\(key($0, of: entry))</li>\n" }
            return "<h3>\(entry.product.escaped) \(entry.service.escaped)</h3>\n<p>Default parameters"
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
