extension InspectorPage {
    /// The details of one row.
    static let detailScript = #"""
        let detail = null, tab = "Parameters", markedDetail = null, fetching = null, refreshing = 0;

        async function fetchDetail(n) {
          const answer = await fetch(`/inspector/event/${n}`);
          return answer.ok ? answer.json() : null;
        }

        async function openDetail(n) {
          opened = here = n;
          settle();
          if (horizon === Infinity) horizon = order.at(-1) ?? 0;
          redraw();
          const found = await fetchDetail(n);
          if (opened !== n) return;
          if (!found) return closeDetail();
          detail = found;
          $("detail").hidden = false;
          $("copied").textContent = "";
          showDetail();
          redraw();
        }

        function refreshDetail() {
          clearTimeout(refreshing);
          refreshing = setTimeout(async () => {
            const n = opened, found = n === null ? null : await fetchDetail(n);
            if (!found || opened !== n) return;
            detail = found;
            showDetail();
          }, 150);
        }

        function closeDetail() {
          opened = detail = null;
          $("detail").hidden = true;
          $("grid").focus({ preventScroll: true });
          settle();
          redraw();
        }

        function showDetail() {
          const { services } = detail;
          $("title").textContent = detail.title || services[0].name + (detail.isPlanned ? "" : " (not in plan)");
          const first = services[0];
          $("who").textContent = [detail.event, first.product, first.session && `session ${first.session}`,
            first.user && `user ${first.user}`].filter(Boolean).join(" · ");
          const findings = services.reduce((sum, service) => sum + service.findings.length, 0);
          const attempts = services.reduce((sum, service) => sum + service.attempts.length, 0);
          const parts = { Parameters: parametersPanel };
          for (const { service, body } of services) {
            parts[service] = () => [el("pre", {}, body || "Nothing was sent.")];
          }
          parts[`Findings (${findings})`] = findingsPanel;
          parts[`Attempts (${attempts})`] = attemptsPanel;
          if (markedDetail && marked !== opened) parts.Diff = diffPanel;
          const stem = (name) => name.replace(/ \(.*/, "");
          const chosen = Object.keys(parts).find((name) => stem(name) === stem(tab)) ?? "Parameters";
          const buttons = Object.keys(parts).map((name, index) => el("button", { role: "tab", textContent: name,
            "aria-selected": name === chosen, "aria-controls": "panel", "aria-keyshortcuts": `${index + 1}`,
            tabIndex: name === chosen ? 0 : -1, onclick: () => { tab = name; showDetail(); } }));
          const focused = $("tabs").contains(document.activeElement);
          $("tabs").replaceChildren(...buttons);
          if (focused) $("tabs").querySelector('[aria-selected="true"]').focus();
          const key = `${detail.n} ${chosen}`, panel = $("panel");
          const top = panel.dataset.key === key ? panel.scrollTop : 0;
          panel.replaceChildren(...parts[chosen]());
          panel.dataset.key = key;
          panel.scrollTop = top;
          $("mark").setAttribute("aria-pressed", marked === opened);
          const canTest = services.every((service) => service.own);
          const test = document.querySelector('[data-copy="test"]');
          test.disabled = !canTest;
          test.title = canTest ? "" : "Only the sender knows the event's own parameters: inspected(at:) tells them.";
        }

        function heading({ service, name, state, reason, arrivals }) {
          return el("h3", {}, `${service} · ${name} `, chip([service, state, reason, arrivals], {}));
        }

        function table(titles, lines, className = "") {
          const head = el("tr", {}, ...titles.map((title) => el("th", { scope: "col" }, title)));
          return el("table", { className }, el("thead", {}, head), el("tbody", {}, ...lines));
        }

        function parametersPanel() {
          return detail.services.flatMap((service) => [heading(service), table(["key", "value", "from"],
            service.parameters.map(([key, value, origin]) => el("tr", {}, el("td", { className: "mono" }, key),
              el("td", { className: "mono" }, ...breakable(unquoted(value))),
              el("td", { className: origin === "own over default" ? "wait" : "dim" }, origin || "not told"))))]);
        }

        // A list is better broken between its members than within a word.
        const breakable = (text) => text.split(/(?<=,)(?=["{])/).flatMap((part, at) => at ? [el("wbr"), part] : [part]);
        const unquoted = (value) => value.startsWith('"') ? JSON.parse(value) : value;

        function findingsPanel() {
          const found = detail.services.flatMap((service) => service.findings.map((finding) => ({ service, finding })));
          if (!found.length) return [el("p", { className: "dim" }, "Nothing was found.")];
          return found.map(({ service, finding }) => el("div", { className: "finding" },
            el("b", {}, finding.code), ` ${finding.path}`, el("br"), finding.text,
            el("div", { className: "dim" }, `${service.service} · rules: ${finding.source}`)));
        }

        function attemptsPanel() {
          return detail.services.flatMap((service) => [heading(service), ...(service.attempts.length ? [table(
            ["time", "answer", "seen by"], service.attempts.map(({ end, t, status, answer, verdict }) => el("tr", {},
              el("td", { className: "mono" }, clock(t)),
              el("td", {}, [status ?? "no answer", answer, verdict && `→ ${verdict}`].filter(Boolean).join(" ")),
              el("td", { className: "dim" }, end))), "attempts"),
            el("p", { className: "dim" }, service.omitted ? `${service.omitted} more are not kept.` : "")]
            : [el("p", { className: "dim" }, "None was seen.")])]);
        }

        function diffPanel() {
          return detail.services.flatMap((service) => {
            const other = markedDetail.services.find((candidate) => candidate.service === service.service);
            if (!other) return [heading(service), el("p", { className: "dim" }, "The marked row has none.")];
            const [mine, theirs] = [service, other].map(({ parameters }) => new Map(parameters));
            const keys = [...new Set([...mine.keys(), ...theirs.keys()])];
            const differing = keys.filter((key) => mine.get(key) !== theirs.get(key));
            const count = `${differing.length} of ${keys.length} keys differ`;
            return [heading(service), el("p", { className: "dim" }, count),
              table(["key", "this row", "◆ marked row"], differing.map((key) => el("tr", { className: "differs" },
                el("td", { className: "mono" }, key), el("td", { className: "mono" }, unquoted(mine.get(key) ?? "–")),
                el("td", { className: "mono" }, unquoted(theirs.get(key) ?? "–")))))];
          });
        }

        async function markRow(n) {
          marked = marked === n ? null : n;
          markedDetail = marked === null ? null : await fetchDetail(n);
          if (detail) showDetail();
          redraw();
        }
        """#
}
