let detail = null, tab = "Parameters", markedDetail = null, fetching = null, refreshing = 0;

async function fetchDetail(n) {
  const answer = await fetch(`/inspector/event/${n}`);
  return answer.ok ? answer.json() : null;
}

async function openDetail(n) {
  opened = here = n;
  settle();
  redraw();
  const found = await fetchDetail(n);
  if (opened !== n) return;
  if (!found) return closeDetail();
  detail = found;
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
  if (!detail) return;
  if (isPressed) return void waiting.add(showDetail);
  const { services } = detail;
  $("detail").hidden = false;
  const names = [...new Set(services.map(({ name }) => name))].join(" · ");
  fill($("title"), detail.title || names, ...(detail.isUnplanned ? [" ", unplanned()] : []));
  $("grouped").hidden = !detail.isGroupedByTime;
  const first = services[0];
  const time = rows.has(opened) && clock(rows.get(opened).t);
  fill($("who"), [detail.event, first.product, time, first.user && `user ${first.user}`].filter(Boolean).join(" · "));
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
  fill($("tabs"), ...buttons);
  if (focused) $("tabs").querySelector('[aria-selected="true"]').focus();
  const key = `${detail.n} ${chosen}`, panel = $("panel");
  const top = panel.dataset.key === key ? panel.scrollTop : 0;
  if (panel.dataset.key !== key) panel.replaceChildren();
  fill(panel, ...parts[chosen]());
  panel.dataset.key = key;
  panel.scrollTop = top;
  $("mark").setAttribute("aria-pressed", marked === opened);
  const canTest = services.every((service) => service.own);
  const test = document.querySelector('[data-copy="test"]');
  test.disabled = !canTest;
  test.title = canTest ? "" : "Only the sender knows the event's own parameters: inspected(at:) reports them.";
}

function heading({ service, name, state, reason, arrivals }) {
  return el("h3", {}, `${service} · ${name} `, chip([service, state, reason, arrivals]));
}

function table(titles, lines, className = "") {
  const head = el("tr", {}, ...titles.map((title) => el("th", { scope: "col" }, title)));
  return el("table", { className }, el("thead", {}, head), el("tbody", {}, ...lines));
}

function parametersPanel() {
  const unknown = "The event waits for consent, so its sender reports the name only.";
  return detail.services.flatMap((service) => [heading(service), service.state === "awaiting consent" && !service.body
    ? el("p", { className: "dim" }, unknown) : table(["key", "value", "from"],
    service.parameters.map(([key, value, origin]) => el("tr", { className: origin },
      el("td", { className: "mono" }, key),
      el("td", { className: "mono" }, valueNode(value, `${service.service} ${key}`)),
      el("td", { className: origin === "own over default" ? "wait" : "dim" },
        origin === "envelope" ? "the engine" : origin || "unknown"))))]);
}

// Lists and objects are indented and can be collapsed. `folds` stores the state of each.
const folds = new Map();
const valueNode = (json, path) => json === undefined ? "–" : node(exact(json), path, "");

function node(value, path, label) {
  const text = (words) => el("div", {}, el("span", { className: "dim" }, label), words);
  if (value instanceof Literal) return text(value.text);
  if (value === null || typeof value !== "object") return text(String(value));
  const isList = Array.isArray(value), members = Object.entries(value);
  if (!members.length) return text(isList ? "[ ]" : "{ }");
  const [one, many] = isList ? ["element", "elements"] : ["member", "members"];
  const open = folds.get(path) ?? members.length <= 12;
  return el("details", { className: "tree", open, ontoggle: ({ target }) => folds.set(path, target.open) },
    el("summary", {}, `${label}${members.length} ${members.length === 1 ? one : many}`),
    el("div", { className: "inner" }, ...members.map(([key, member]) =>
      node(member, `${path} ${key}`, isList ? `${Number(key) + 1}. ` : `${key}: `))));
}

function findingsPanel() {
  const found = detail.services.flatMap((service) => service.findings.map((finding) => ({ service, finding })));
  if (!found.length) return [el("p", { className: "dim" }, "There are no findings.")];
  return found.map(({ service, finding }) => el("div", { className: `finding ${finding.severity}` },
    el("span", { className: "severity" }, finding.severity), " ", el("code", {}, finding.code),
    ` ${finding.path}`,
    el("p", {}, finding.text), el("p", {}, el("b", {}, "Cure: "), finding.cure),
    el("p", { className: "dim" }, `${service.service} · rules: ${finding.source}`)));
}

function attemptsPanel() {
  return detail.services.flatMap((service) => [heading(service), ...(service.attempts.length ? [table(
    ["time", "response", "reported by"], service.attempts.map(({ end, t, status, answer, result }) => el("tr", {},
      el("td", { className: "mono" }, clock(t)),
      el("td", {}, [status ?? "no response", answer, result && `→ ${result}`].filter(Boolean).join(" ")),
      el("td", { className: "dim" }, end))), "attempts"),
    el("p", { className: "dim" }, service.omitted ? `${service.omitted} earlier attempts are not kept.` : "")]
    : [el("p", { className: "dim" }, "There are no attempts yet.")])]);
}

function diffPanel() {
  return detail.services.flatMap((service) => {
    const other = markedDetail.services.find((candidate) => candidate.service === service.service);
    if (!other) return [heading(service), el("p", { className: "dim" }, "The marked row has no delivery to this service.")];
    const [mine, theirs] = [service, other].map(({ parameters }) => new Map(parameters));
    const keys = [...new Set([...mine.keys(), ...theirs.keys()])];
    const differing = keys.filter((key) => mine.get(key) !== theirs.get(key));
    const count = `${differing.length} of ${keys.length} keys differ`;
    return [heading(service), el("p", { className: "dim" }, count),
      table(["key", "this row", "◆ marked row"], differing.map((key) => el("tr", { className: "differs" },
        el("td", { className: "mono" }, key),
        el("td", { className: "mono" }, valueNode(mine.get(key), `mine ${service.service} ${key}`)),
        el("td", { className: "mono" }, valueNode(theirs.get(key), `theirs ${service.service} ${key}`)))))];
  });
}

async function markRow(n) {
  marked = marked === n ? null : n;
  markedDetail = marked === null ? null : await fetchDetail(n);
  showDetail();
  redraw();
}
