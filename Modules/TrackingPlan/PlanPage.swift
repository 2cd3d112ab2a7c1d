import CoreTracker

/// The plan as one self-contained page for a browser; it needs no script and makes no request.
///
/// Beside each event stands a comment with its product and type, where a live inspector puts how often it was seen.
struct PlanPage {
    private let plan: Plan
    private let examples: [ExampleBody]
    private let services: [CheckedService]
    private let changes: [PlanChange]

    /// Creates a page; with changes it begins with those that break consumers, and the others.
    init(of plan: Plan, examples: [ExampleBody], at services: [CheckedService], changes: [PlanChange] = []) {
        self.plan = plan
        self.examples = examples
        self.services = services
        self.changes = changes
    }

    /// The document.
    var html: String {
        var body = "<h1>Tracking plan</h1>\n"
        body += "<p>\(plan.eventsInOrder.count) events of \(plan.modules.count) modules, read from the events' own "
        body += "examples. <code>Scripts/tracking-plan</code> writes this page.</p>\n"
        body += changeList + contents
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
            <style>\(PlanPage.style)</style>
            </head>
            <body>
            \(body)\(rules)</body>
            </html>

            """
    }

    private var changeList: String {
        guard !changes.isEmpty else { return "" }
        let ordered = changes.filter(\.breaksConsumers) + changes.filter { !$0.breaksConsumers }
        let items = ordered.map { change in
            let mark = change.breaksConsumers ? "<strong class=\"breaks\">breaks consumers</strong> " : ""
            return "<li>\(mark)\(change.text.escaped)</li>\n"
        }
        return "<h2>Changes</h2>\n<ul>\n\(items.joined())</ul>\n"
    }

    private var contents: String {
        let lines = plan.eventsInOrder.map { entries in
            let first = entries[0]
            let marker = "<!-- seen \(first.product) \(first.event) -->"
            return "<tr><td>\(first.product.escaped)</td><td><a href=\"#\(first.event.escaped)\">\(first.title.escaped)"
                + "</a></td><td>\(first.owner.escaped)</td><td>\(marker)</td></tr>\n"
        }
        let head = "<tr><th>product</th><th>event</th><th>owner</th><th></th></tr>\n"
        return "<table>\n\(head)\(lines.joined())</table>\n"
    }

    private func section(of entries: [PlanEntry]) -> String {
        let first = entries[0]
        let services = entries.map(service).joined()
        return """
            <section id="\(first.event.escaped)">
            <h3>\(first.title.escaped) <!-- seen \(first.product) \(first.event) --></h3>
            <p><code>\(first.event.escaped)</code>, owned by \(first.owner.escaped). \(first.purpose.escaped)</p>
            <div class="services">
            \(services)</div>
            </section>

            """
    }

    private func service(of entry: PlanEntry) -> String {
        let lines = entry.parameters.keys().map { path, schema, isAlways in
            let policy = schema.policy.map { "sensitive: \($0)" } ?? ""
            return "<tr><td><code>\(path.escaped)</code></td><td>\(schema.typeText.escaped)</td>"
                + "<td>\(isAlways ? "always" : "sometimes")</td><td>\(policy.escaped)</td></tr>\n"
        }
        let head = "<tr><th>key</th><th>type</th><th>comes</th><th></th></tr>\n"
        let bodies = examples.filter { $0.isExample(of: entry) }.map { "<pre>\($0.text.escaped)</pre>\n" }
        return """
            <div>
            <h4>\(entry.service.escaped) <code>\(entry.name.escaped)</code></h4>
            <table>
            \(head)\(lines.joined())</table>
            <details><summary>\(bodies.count == 1 ? "an example" : "\(bodies.count) examples")</summary>
            \(bodies.joined())</details>
            </div>

            """
    }

    /// What holds for all events of a product at a service.
    private var rules: String {
        let kept = plan.entries.reduce(into: [(product: String, service: String, rules: String)]()) { kept, entry in
            guard !kept.contains(where: { ($0.product, $0.service) == (entry.product, entry.service) }) else { return }
            kept.append((product: entry.product, service: entry.service, rules: entry.rules))
        }
        let lines = kept.sorted { ($0.product, $0.service) < ($1.product, $1.service) }.map { product, service, rules in
            let defaults = self.services.first { $0.takes(service, of: product) }?.defaults ?? []
            let keys = defaults.map { "<code>\($0.escaped)</code>" }.joined(separator: ", ")
            return "<h3>\(product.escaped) \(service.escaped)</h3>\n"
                + "<p>Default parameters: \(keys.isEmpty ? "none" : keys).</p>\n<p>Rules: \(rules.escaped).</p>\n"
        }
        return "<h2>Rules and defaults</h2>\n\(lines.joined())"
    }
}

extension PlanPage {
    private static let style = """

        :root { color-scheme: light dark; --ground: #fff; --soft: #f4f5f7; --line: #d8dbe0; --text: #1c1f24;
          --dim: #59616c; --link: #0b57d0; --good: #146c2e; --bad: #b3261e; }
        @media (prefers-color-scheme: dark) { :root { --ground: #15181c; --soft: #1e2227; --line: #363c44;
          --text: #e4e7eb; --dim: #a3abb6; --link: #8ab4f8; --good: #7ad391; --bad: #ff9c94; } }
        * { box-sizing: border-box; }
        body { max-width: 1200px; margin: 0 auto; padding: 16px; background: var(--ground); color: var(--text);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
        a { color: var(--link); } h2 { margin: 40px 0 8px; border-bottom: 1px solid var(--line); }
        h3 { margin: 28px 0 4px; } h4 { margin: 0 0 4px; } p { margin: 4px 0 10px; }
        code, pre { font: 12.5px/1.45 ui-monospace, Menlo, "Liberation Mono", monospace; overflow-wrap: anywhere; }
        pre { margin: 6px 0; padding: 8px; white-space: pre-wrap; background: var(--soft); border-radius: 6px; }
        table { width: 100%; border-collapse: collapse; font-size: 14px; }
        th { color: var(--dim); font-size: 12px; text-align: left; white-space: nowrap; }
        td, th { padding: 3px 10px 3px 0; overflow-wrap: anywhere; vertical-align: top;
          border-bottom: 1px solid var(--line); }
        summary { padding: 4px 0; color: var(--dim); cursor: pointer; }
        .services { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 20px; }
        .services > div { min-width: 0; }
        .seen, .unseen { font-size: 13px; font-weight: 600; white-space: nowrap; }
        .seen { color: var(--good); } .unseen, .breaks { color: var(--bad); }

        """
}

extension String {
    /// The text as it stands in a document.
    fileprivate var escaped: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
