let stream = null, position = null, loading = false, laneText = "";

async function load() {
  loading = true;
  try {
    const answer = await fetch("/inspector/events");
    const state = await answer.json();
    rows.clear();
    for (const row of state.rows) rows.set(row.n, prepare(row));
    order = [...rows.keys()];
    latest = Math.max(0, ...order.slice(-1));
    oldest = state.first;
    position = state.position;
    dirty = unsorted = true;
  } finally {
    loading = false;
  }
  redraw();
}

// Loads all rows again. A stream in the meantime would be ahead of them.
function reload() {
  hush();
  load().then(listen, () => { show(false); setTimeout(reload, 1000); });
}

function listen() {
  // Before all rows are loaded, there is no position to continue from.
  if (stream || loading || document.hidden || position === null) return;
  stream = new EventSource(`/inspector/stream?after=${position}`);
  stream.onopen = () => show(true);
  stream.onerror = () => {
    show(false);
    if (stream?.readyState !== EventSource.CLOSED) return;
    stream = null;
    setTimeout(listen, 1000);
  };
  stream.onmessage = (event) => {
    const message = JSON.parse(event.data);
    position = Number(event.lastEventId);
    if (message.missed) { missed += message.missed; return reload(); }
    for (const row of message.rows) if (row.n >= message.first) take(row);
    if (oldest < message.first) trim(message.first);
    settle();
    redraw();
  };
}

function trim(first) {
  oldest = first;
  order = order.filter((n) => {
    if (n >= first) return true;
    rows.delete(n);
    return false;
  });
  if (opened !== null && !rows.has(opened)) closeDetail();
  if (here !== null && !rows.has(here)) here = null;
  if (marked !== null && !rows.has(marked)) marked = null;
  if (!order.length) { horizon = Infinity; $("scroll").scrollTop = 0; }
  dirty = true;
}

function show(isLive) {
  $("lamp").className = isLive ? "on" : "off";
  $("state").textContent = isLive ? (paused ? "paused" : "live") : "disconnected";
}

function hush() {
  stream?.close();
  stream = null;
}

document.addEventListener("visibilitychange", () => document.hidden ? hush() : listen());
addEventListener("pagehide", hush);
addEventListener("pageshow", listen);

// The sender's report or, if there is none, the receiver's counts.
const columnsOfLedger = ["delivered", "pending", "quarantined"];
function laneLine({ lane, taken, refused, sender }) {
  const line = el("li", {}, el("b", {}, lane), " ");
  if (!sender) {
    line.append(`${taken} arrived`, refused ? el("span", { className: "wait" }, `, ${refused} refused`) : "");
    return line;
  }
  const parts = columnsOfLedger.filter((name) => sender[name]).map((name) => `${sender[name]} ${name}`);
  for (const [reason, count] of Object.entries(sender.dropped ?? {})) parts.push(`${count} dropped: ${reason}`);
  line.append(`${sender.accepted ?? 0} accepted = ${parts.join(" + ") || "nothing"}`);
  if (sender.lostReports) line.append(`, ${sender.lostReports} reports lost`);
  if (sender.cause) line.append(" ", el("span", { className: "wait" }, `‖ ${sender.cause}`));
  return line;
}

async function pollLanes() {
  if (!document.hidden && !loading) {
    try {
      const text = await (await fetch("/inspector/lanes")).text();
      if (text !== laneText && !isPressed) { laneText = text; showLanes(JSON.parse(text)); }
    } catch { show(false); }
  }
  setTimeout(pollLanes, 1000);
}

function showLanes({ lanes, faults }) {
  const busy = lanes.filter(({ taken, refused, sender }) =>
    taken || refused || sender?.accepted || sender?.cause);
  fill($("lanes"), ...busy.map(laneLine));
  $("active").textContent = faults.length || "";
  fill($("fault-list"), ...faults.map(({ service, event, status, count }) => el("li", {}, [service,
    "responds with", status || "nothing", count && `${count} more times`, event && `to ${event}`].filter(Boolean)
    .join(" "))));
  const names = [...new Set(["firebase", "awesomeTracking", ...lanes.map(({ lane }) => lane.split("/")[1])])];
  const select = $("fault-service");
  if (select.options.length !== names.length) {
    const chosen = select.value;
    select.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
    if (chosen) select.value = chosen;
  }
}
