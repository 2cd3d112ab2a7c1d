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
            <style>\(PlanPage.style)</style>
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
            <script>\(PlanPage.script)</script>
            </body>
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

    /// The index of modules and events.
    private var contents: String {
        plan.modules.map { module in
            let items = plan.eventsInOrder.filter { $0[0].module == module }.map { entries in
                let first = entries[0]
                let mark = notes.event(of: first).deprecated == nil ? "" : " <span class=\"breaks\">deprecated</span>"
                let link = "<a href=\"#\(first.event.escaped)\">\(first.title.escaped)</a>"
                return "<li>\(link)\(mark) \(marker(of: first))</li>\n"
            }
            return "<h4>\(module.escaped)</h4>\n<ul>\n\(items.joined())</ul>\n"
        }.joined()
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
            <section id="\(first.event.escaped)">
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
            ", replaced by <a href=\"#\(type.escaped)\">\(type.escaped)</a>"
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
    private static let style = """

        :root { color-scheme: light dark; --ground: #fff; --soft: #f4f5f7; --line: #d8dbe0; --text: #1c1f24;
          --dim: #59616c; --link: #0b57d0; --good: #146c2e; --bad: #b3261e; }
        @media (prefers-color-scheme: dark) { :root { --ground: #15181c; --soft: #1e2227; --line: #363c44;
          --text: #e4e7eb; --dim: #a3abb6; --link: #8ab4f8; --good: #7ad391; --bad: #ff9c94; } }
        * { box-sizing: border-box; } [hidden] { display: none !important; }
        body { display: grid; grid-template-columns: 260px minmax(0, 1fr); gap: 0 28px; max-width: 1500px;
          margin: 0 auto; padding: 0 16px; background: var(--ground); color: var(--text);
          font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", sans-serif; }
        nav { position: sticky; top: 0; align-self: start; max-height: 100vh; padding: 12px 0; overflow-y: auto;
          background: var(--ground); font-size: 14px; }
        nav ul { margin: 0 0 8px; padding: 0; list-style: none; } nav h4 { margin: 8px 0 0; color: var(--dim); }
        nav li { padding: 2px 0; } nav p { margin: 0 0 6px; }
        input { width: 100%; padding: 7px 9px; border: 1px solid var(--line); border-radius: 6px; font: inherit;
          background: var(--soft); color: inherit; }
        a { color: var(--link); } h2 { margin: 40px 0 8px; border-bottom: 1px solid var(--line); }
        h3 { margin: 28px 0 4px; } h4 { margin: 0 0 4px; } p { margin: 4px 0 10px; }
        section, h2 { scroll-margin-top: 12px; }
        dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 12px; margin: 4px 0 12px; }
        dt { color: var(--dim); } dd { margin: 0; overflow-wrap: anywhere; }
        code, pre { font: 12.5px/1.45 ui-monospace, Menlo, "Liberation Mono", monospace; overflow-wrap: anywhere; }
        pre { margin: 6px 0; padding: 8px; white-space: pre-wrap; background: var(--soft); border-radius: 6px; }
        table { width: 100%; border-collapse: collapse; font-size: 14px; } td ul { margin: 2px 0; padding-left: 18px; }
        th { color: var(--dim); font-size: 12px; text-align: left; white-space: nowrap; }
        td, th { padding: 3px 10px 3px 0; overflow-wrap: anywhere; vertical-align: top;
          border-bottom: 1px solid var(--line); }
        td:nth-child(2) { width: 24%; } td:nth-child(3) { width: 1%; white-space: nowrap; }
        summary { padding: 4px 0; color: var(--dim); cursor: pointer; }
        .services { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); gap: 20px; }
        .services > div { min-width: 0; }
        .seen, .unseen { font-size: 13px; font-weight: 600; white-space: nowrap; }
        .seen { color: var(--good); } .unseen, .breaks { color: var(--bad); }
        @media (max-width: 800px) {
          body { display: block; }
          nav { z-index: 1; max-height: 70vh; margin: 0 -16px; padding: 8px 16px;
            border-bottom: 1px solid var(--line); }
          nav p { display: flex; gap: 8px; align-items: center; } nav output { white-space: nowrap; }
          nav li { padding: 6px 0; } section, h2 { scroll-margin-top: 96px; }
        }

        """

    /// A script that shows the events whose sections contain all words of the search.
    ///
    /// On a phone, the index is collapsed until it is tapped.
    private static let script = """

        const search = document.getElementById("search"), input = search.querySelector("input");
        const found = search.querySelector("output"), index = document.querySelector("nav details");
        const phone = matchMedia("(max-width: 800px)");
        const events = [...document.querySelectorAll("section")].map((section) => ({
          section, link: document.querySelector(`nav a[href="#${CSS.escape(section.id)}"]`).parentElement,
          text: section.textContent.toLowerCase(),
        }));
        function show() {
          const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word);
          let count = 0;
          for (const { section, link, text } of events) {
            const matches = words.every((word) => text.includes(word));
            section.hidden = link.hidden = !matches;
            count += matches;
          }
          for (const list of document.querySelectorAll("nav ul")) {
            const isEmpty = !list.querySelector("li:not([hidden])");
            list.hidden = list.previousElementSibling.hidden = isEmpty;
            document.getElementById(list.previousElementSibling.textContent).hidden = isEmpty;
          }
          found.textContent = words.length === 0 ? "" : count === 0 ? "no event" : `${count} of ${events.length}`;
          if (words.length > 0) index.open = true;
        }
        input.addEventListener("input", show);
        document.addEventListener("keydown", (key) => {
          if (key.key === "/" && document.activeElement !== input) { key.preventDefault(); input.focus(); }
          if (key.key === "Escape" && document.activeElement === input) { input.value = ""; show(); }
        });
        index.addEventListener("click", (click) => {
          if (phone.matches && click.target.closest("a")) index.open = false;
        });
        search.hidden = false;
        index.open = !phone.matches;

        """
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
