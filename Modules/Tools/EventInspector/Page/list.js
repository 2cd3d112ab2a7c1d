const $ = (id) => document.getElementById(id);
const el = (tag, properties = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
};
// Replaces the children of an element. A child with the same id, or else with the same place and name, is updated
// instead, and keeps the focus, selected text and its place in a screen reader.
function fill(parent, ...made) {
  const ids = new Set(made.map(({ id }) => id));
  for (const old of [...parent.children]) if (old.id && !ids.has(old.id)) old.remove();
  let place = parent.firstChild;
  for (const part of made) {
    const child = part instanceof Node ? part : new Text(part);
    const old = child.id ? $(child.id) : place;
    if (!old || old.nodeName !== child.nodeName || old.id !== child.id) parent.insertBefore(child, place);
    else {
      update(old, child);
      if (old === place) place = place.nextSibling; else parent.insertBefore(old, place);
    }
  }
  while (parent.childNodes.length > made.length) parent.lastChild.remove();
}
function update(old, child) {
  if (old instanceof Text) {
    if (old.data !== child.data) old.data = child.data;
    return;
  }
  for (const { name } of [...old.attributes]) if (!child.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of child.attributes) {
    if (old.getAttribute(name) === value) continue;
    if (name === "style") old.style.cssText = value; else old.setAttribute(name, value);
  }
  old.onclick = child.onclick;
  old.ontoggle = child.ontoggle;
  fill(old, ...child.childNodes);
}
const unplanned = () => el("span", { className: "badge" }, "not in plan");
let height = 28;             // of a row, in pixels; rows of a narrow list have two lines
const rows = new Map();      // by number
let order = [];              // the numbers of all rows, oldest first
let view = [];               // the numbers of the rows that match the filter and are not held back
let byArrival = false;       // whether rows are ordered by arrival instead of tracking
let unsorted = false;        // whether `order` has to be sorted again
let latest = 0;              // the highest number of a row so far
let drawn = 0;               // the highest number when the list was last drawn
let oldest = 0;              // the lowest number that the inspector keeps
let horizon = Infinity;      // rows with a higher number are held back while the list is read
let held = 0;                // the number of rows that are held back
let here = null;             // the selected row
let opened = null;           // the row whose details are shown
let marked = null;           // the row with which others are compared
let paused = false, missed = 0, dirty = false;

const signs = { delivered: ["✓", "dim"], queued: ["○", "dim"], sending: ["◐", "wait"],
  "awaiting consent": ["‖", "wait"], quarantined: ["■", "bad"], refused: ["✕", "bad"],
  dropped: ["▽", "bad"], answered: ["△", "wait"],
  unanswered: ["△", "wait"] };

function clock(t) {
  const d = new Date(t), two = (n) => String(n).padStart(2, "0");
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.` +
    String(d.getMilliseconds()).padStart(3, "0");
}

// Each line is `key:value`. The filter searches the text for words, and the starts of lines for keys.
function prepare(row) {
  const lines = [["product", row.p], ["event", row.e], ...row.w.map((name) => ["name", name]),
    ...row.s.map(([service, state, reason]) => ["service", `${service} ${state} ${reason}`])];
  row.x = lines.map(([key, value]) => `${key}:${value}\n`).join("") + row.x + "\n";
  row.search = "\n" + row.x.toLowerCase();
  row.k = row.t * 4096 + row.c;
  return row;
}

// Whether a row comes before another one: by number, or by the time and counter of their ids.
function precedes(a, b) {
  const difference = byArrival ? 0 : rows.get(a).k - rows.get(b).k;
  return difference ? difference < 0 : a < b;
}

function sort() {
  unsorted = false;
  order.sort((a, b) => precedes(a, b) ? -1 : 1);
}

function rebuild() {
  dirty = false;
  if (unsorted) sort();
  applyTerms();
  held = 0;
  view = order.filter((n) => {
    if (!passes(rows.get(n))) return false;
    if (n > horizon) held += 1;
    return n <= horizon;
  });
}

function put(list, n) {
  let low = 0, high = list.length;
  if (!high || precedes(list[high - 1], n)) return void list.push(n);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (precedes(list[middle], n)) low = middle + 1; else high = middle;
  }
  if (list[low] !== n) list.splice(low, 0, n);
}

function forget(n) {
  const row = rows.get(n);
  if (!row) return;
  rows.delete(n);
  order.splice(order.indexOf(n), 1);
  dirty = true;
}

function take(row) {
  if (!row.s) return forget(row.n);
  const before = rows.get(row.n);
  const passed = before && passes(before);
  prepare(row);
  rows.set(row.n, row);
  latest = Math.max(latest, row.n);
  if (problems.length) dirty = true;  // the row may have a new key
  if (before) {
    if (passed !== passes(row)) dirty = true;
    if (before.k !== row.k) dirty = unsorted = true;
    if (row.n === opened) refreshDetail();
    return;
  }
  put(order, row.n);
  if (!passes(row)) return;
  if (row.n > horizon) held += 1; else put(view, row.n);
}

// The list does not move while it is being read: if it is scrolled down, details are open, or it is paused.
function isReading() { return paused || opened !== null || $("scroll").scrollTop > height / 2; }
function settle() {
  if (isReading() === (horizon !== Infinity)) return;
  horizon = isReading() ? Math.max(drawn, opened ?? 0) : Infinity;
  dirty = true;
}

function layOut() {
  const isNarrow = $("list").clientWidth < 720;
  $("list").classList.toggle("narrow", isNarrow);
  setHeight(isNarrow ? 50 : 28);
}

// A change of the row height keeps the open row, or the first visible one, at its position in the window.
function setHeight(pixels) {
  if (pixels === height) return;
  const scroll = $("scroll"), place = opened === null ? -1 : view.length - 1 - view.indexOf(opened);
  const index = place >= 0 && place < view.length ? place : scroll.scrollTop / height;
  const offset = index * height - scroll.scrollTop;
  height = pixels;
  document.documentElement.style.setProperty("--row", `${height}px`);
  $("grid").style.height = `${view.length * height}px`;
  scroll.scrollTop = index * height - offset;
}

function chip([, state, reason, arrivals], names = "") {
  const [sign, tone] = signs[state] ?? ["·", "dim"];
  const times = arrivals > 1 ? ` ×${arrivals}` : "";
  const text = [sign, names, state, reason].filter(Boolean).join(" ") + times;
  return el("span", { className: tone, title: text }, text + " ");
}

// The deliveries of a row: those that need attention first, and one chip for all services in the same state.
function chips(row) {
  const groups = Map.groupBy(row.s, ([, state, reason, arrivals]) => [state, reason, arrivals > 1 && arrivals].join());
  return [...groups.values()].sort(([a], [b]) => (a[1] === "delivered") - (b[1] === "delivered"))
    .map((group) => chip(group[0], group.map(([service]) => service).join(", ")));
}

function findingsBadge({ f, h }) {
  const title = `${h} of them ${h === 1 ? "is an error" : "are errors"}`;
  return el("span", { className: `badge ${h ? "error" : ""}`, title }, f > 1 ? `${f} findings` : "1 finding");
}

function rowElement(n, index) {
  const row = rows.get(n), time = clock(byArrival ? row.r : row.t);
  const cell = (name, ...children) => el("span", { className: name, role: "gridcell" }, ...children);
  const name = [el("span", {}, row.e || row.w.join(" · "))];
  if (row.f) name.push(" ", findingsBadge(row));
  if (row.u) name.push(" ", unplanned());
  const cells = [cell("time", time.slice(0, 8)), cell("product", row.p), cell("event", ...name),
    cell("states", ...chips(row))];
  cells[0].title = time;
  const states = ["row", n === here && "here", n === opened && "open", n === marked && "marked"];
  const className = states.filter(Boolean).join(" ");
  const element = el("div", { className, role: "row", id: `row-${n}` }, ...cells);
  element.setAttribute("aria-rowindex", index + 1);
  element.setAttribute("aria-selected", n === here);
  element.style.transform = `translateY(${index * height}px)`;
  element.dataset.n = n;
  return element;
}

function draw() {
  if (isPressed) return void waiting.add(draw);
  drawing = false;
  layOut();
  const scroll = $("scroll"), grid = $("grid");
  const top = Math.floor(scroll.scrollTop / height), offset = scroll.scrollTop - top * height;
  const anchor = horizon === Infinity ? null : view[view.length - 1 - top];
  if (dirty) {
    rebuild();
    const place = anchor ? view.indexOf(anchor) : -1;
    if (place >= 0 && scroll.scrollTop > 0) scroll.scrollTop = (view.length - 1 - place) * height + offset;
  }
  const first = Math.max(0, Math.floor(scroll.scrollTop / height) - 4);
  const last = Math.min(view.length, first + Math.ceil(scroll.clientHeight / height) + 8);
  const made = [];
  for (let index = first; index < last; index += 1) {
    made.push(rowElement(view[view.length - 1 - index], index));
  }
  fill(grid, ...made);
  drawn = latest;
  grid.style.height = `${view.length * height}px`;
  grid.setAttribute("aria-rowcount", view.length);
  if (here !== null && $(`row-${here}`)) grid.setAttribute("aria-activedescendant", `row-${here}`);
  else grid.removeAttribute("aria-activedescendant");
  let findings = 0, errors = 0, hasProducts = false;
  for (const row of rows.values()) {
    if (row.f) findings += 1;
    if (row.h) errors += 1;
    if (row.p) hasProducts = true;
  }
  $("list").classList.toggle("unbranded", !hasProducts);  // the column of products would be empty
  const titles = { time: byArrival ? "Arrived" : "Tracked", product: "Product", event: "Event", states: "Deliveries" };
  fill($("head"), ...Object.entries(titles).map(([className, title]) => el("span", { className }, title)));
  $("empty").hidden = rows.size > 0;
  $("none").hidden = rows.size === 0 || view.length > 0;
  $("fresh").hidden = held === 0;
  fill($("fresh"), `▲ +${held.toLocaleString("en")} new`);
  showProblems();
  const shown = tests.length ? `${(view.length + held).toLocaleString("en")} of ` : "";
  fill($("count"), `${shown}${rows.size.toLocaleString("en")} events`);
  fill($("found"), `${findings.toLocaleString("en")} with findings`);
  $("found").hidden = !findings;
  $("found").classList.toggle("error", errors > 0);
  $("found").setAttribute("aria-pressed", $("filter").value === "has:finding");
  $("gap").hidden = missed === 0;
  fill($("gap"), `${missed.toLocaleString("en")} changes arrived faster than this page could follow; ` +
    "all rows were loaded again");
}

// Nothing moves during a press, because a click needs the pressed element under the pointer.
let isPressed = false, releasing = 0;
const waiting = new Set();   // the functions that a press delays
function press() {
  clearTimeout(releasing);
  isPressed = true;
}

function release() {
  clearTimeout(releasing);
  isPressed = false;
  for (const change of waiting) {
    waiting.delete(change);
    change();
  }
}

let drawing = false;
function redraw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(draw);
}
