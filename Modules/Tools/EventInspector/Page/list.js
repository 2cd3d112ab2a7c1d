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
let services = new Map();    // the number of deliveries of each service
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

const signs = { delivered: ["●", "good"], queued: ["○", "dim"], sending: ["◐", "wait"],
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
  for (const [service] of row.s) services.set(service, services.get(service) - 1);
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
  for (const [service] of row.s) services.set(service, (services.get(service) ?? 0) + 1);
  if (before) {
    for (const [service] of before.s) services.set(service, services.get(service) - 1);
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

function columns() {
  const wide = $("list").clientWidth;
  const known = [...services].filter(([, count]) => count > 0)
    .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([service]) => service);
  const narrow = wide < 720;
  const count = narrow ? 0 : Math.min(known.length, wide < 900 ? 2 : 3);
  const shown = known.slice(0, count).sort();
  const more = known.length > count;
  const template = narrow
    ? "66px 24px minmax(0, 1fr) 22px"
    : `96px 34px minmax(0, 1.6fr) ${shown.map(() => "minmax(0, 1fr)").join(" ")} ` +
      `${more ? "minmax(0, 1.4fr)" : ""} 22px`;
  $("list").classList.toggle("narrow", narrow);
  document.documentElement.style.setProperty("--columns", template);
  setHeight(narrow ? 50 : 28);
  return { shown, more, narrow };
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

function chip([service, state, reason, arrivals], isNamed = false) {
  const [sign, tone] = signs[state] ?? ["·", "dim"];
  const times = arrivals > 1 ? ` ×${arrivals}` : "";
  const text = [sign, isNamed && service, state, reason].filter(Boolean).join(" ") + times;
  return el("span", { className: tone, title: `${service}: ${state} ${reason}${times}`.trim() }, text + " ");
}

function rowElement(n, index, layout) {
  const row = rows.get(n);
  const of = (service) => row.s.filter((s) => s[0] === service).map((s) => chip(s));
  const others = row.s.filter((s) => !layout.shown.includes(s[0]))
    .sort((a, b) => (a[1] === "delivered") - (b[1] === "delivered"));
  const cell = (name, ...children) => el("span", { className: name, role: "gridcell" }, ...children);
  const name = [row.e || row.w.join(" · ")];
  if (row.u) name.push(" ", unplanned());
  const time = clock(byArrival ? row.r : row.t).slice(0, layout.narrow ? 8 : 12);
  const cells = [cell("time", time), cell("product", row.p || "–"), cell("event", ...name)];
  for (const service of layout.shown) {
    const chips = of(service);
    cells.push(cell("", ...(chips.length ? chips : [el("span", { className: "dim" }, "–")])));
  }
  if (layout.more && !layout.narrow) cells.push(cell("", ...others.map((s) => chip(s, true))));
  const found = row.f ? `${row.f} finding${row.f > 1 ? "s" : ""}, ${row.h} of them errors` : "";
  cells.push(el("span", { className: `number ${row.h ? "bad" : "wait"}`, role: "gridcell", title: found },
    row.f ? String(row.f) : ""));
  if (layout.narrow) cells.push(cell("states", ...others.map((s) => chip(s, true))));
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
  const layout = columns();
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
    made.push(rowElement(view[view.length - 1 - index], index, layout));
  }
  fill(grid, ...made);
  drawn = latest;
  grid.style.height = `${view.length * height}px`;
  grid.setAttribute("aria-rowcount", view.length);
  if (here !== null && $(`row-${here}`)) grid.setAttribute("aria-activedescendant", `row-${here}`);
  else grid.removeAttribute("aria-activedescendant");
  const others = layout.more && !layout.narrow ? "others" : null;
  const titles = [byArrival ? "arrived" : "tracked", layout.narrow ? "" : "prod", "event", ...layout.shown,
    others, "!"];
  fill($("head"), ...titles.filter((title) => title !== null).map((title) => el("span", {}, title)));
  $("empty").hidden = rows.size > 0;
  $("none").hidden = rows.size === 0 || view.length > 0;
  $("fresh").hidden = held === 0;
  fill($("fresh"), `▲ +${held.toLocaleString("en")} new`);
  let findings = 0;
  for (const row of rows.values()) if (row.f) findings += 1;
  showProblems();
  const shown = tests.length ? `${(view.length + held).toLocaleString("en")} of ` : "";
  fill($("count"), `${shown}${rows.size.toLocaleString("en")} events` +
    (findings ? `, ${findings.toLocaleString("en")} with findings` : ""));
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
