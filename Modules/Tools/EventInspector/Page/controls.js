function select(n) {
  here = n;
  const index = view.length - 1 - view.indexOf(n);
  const scroll = $("scroll"), top = index * height;
  if (top < scroll.scrollTop) scroll.scrollTop = top;
  const bottom = top + height - scroll.clientHeight;
  if (bottom > scroll.scrollTop) scroll.scrollTop = bottom;
  settle();
  redraw();
}

function move(step) {
  if (dirty) rebuild();
  if (!view.length) return;
  const at = here === null ? view.length : view.indexOf(here);
  const next = at < 0 ? view.length - 1 : Math.min(view.length - 1, Math.max(0, at - step));
  select(view[next]);
  if (opened !== null) openDetail(view[next]);
  $("grid").focus({ preventScroll: true });
}

function newest() {
  paused = false;
  horizon = Infinity;
  $("scroll").scrollTop = 0;
  if (opened !== null) closeDetail();
  showPause();
  dirty = true;
  redraw();
}

function showPause() {
  $("pause").setAttribute("aria-pressed", paused);
  if (stream?.readyState === EventSource.OPEN) show(true);
}

function pause() {
  paused = !paused;
  settle();
  showPause();
  redraw();
}

const send = (path, body = "") => fetch(path, { method: "POST", body });

async function setFault(status) {
  const fault = { service: $("fault-service").value };
  if (status !== null) {
    fault.status = Number(status);
    if ($("fault-count").value) fault.count = Number($("fault-count").value);
    if (fault.status === 429) fault.retryAfter = 5;
    if (fault.status === 302) fault.answer = "<html>captive portal</html>";
  }
  if ($("fault-event").value) fault.event = $("fault-event").value;
  await send("/inspector/fault", JSON.stringify(fault));
  laneText = "";
}

const keys = { j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1),
  g: newest, p: pause, "/": () => $("filter").focus(), "?": () => $("keys").showModal(),
  PageDown: () => move(Math.floor($("scroll").clientHeight / height)),
  PageUp: () => move(-Math.floor($("scroll").clientHeight / height)),
  Home: () => view.length && select(view.at(-1)), End: () => view.length && select(view[0]),
  d: () => here !== null && markRow(here),
  o: () => {
    $("sort").value = byArrival ? "tracking" : "arrival";
    $("sort").dispatchEvent(new Event("change"));
  } };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || $("keys").open || $("text").open) return;
  const target = event.target, types = target.matches("input, select, textarea");
  if (event.key === "Escape") {
    const menu = document.querySelector(".menu[open]");
    if (menu) { menu.open = false; menu.querySelector("summary").focus(); }
    else if (target === $("filter") && !$("completions").hidden) hideCompletions();
    else if (types) target.blur();
    else if (opened !== null) closeDetail();
    return;
  }
  if (types) {
    if (target === $("filter")) filterKey(event);
    return;
  }
  const inPanel = $("panel").contains(target) && event.key.length > 1;
  if (target.getAttribute("role") === "tab" && ["ArrowLeft", "ArrowRight"].includes(event.key)) {
    const tabs = [...$("tabs").children], at = tabs.indexOf(target) + (event.key === "ArrowRight" ? 1 : -1);
    tabs[(at + tabs.length) % tabs.length].click();
    return;
  }
  if (event.key === "Enter" && target === $("grid") && here !== null) {
    openDetail(here).then(() => $("title").focus({ preventScroll: true }));
  } else if (/^[1-9]$/.test(event.key) && opened !== null) {
    $("tabs").children[Number(event.key) - 1]?.click();
  } else if (keys[event.key] && !inPanel && !(target.closest("summary, button") && event.key.length > 1)) {
    event.preventDefault();
    keys[event.key]();
  }
});

function filterKey(event) {
  const isOpen = !$("completions").hidden;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (isOpen && step) choose(step);
  else if (isOpen && event.key === "Enter" && choice >= 0) {
    complete($("completions").children[choice].textContent);
  }
  else if (["Enter", "ArrowDown"].includes(event.key)) move(1);
  else return;
  event.preventDefault();
}

$("sort").addEventListener("change", () => {
  byArrival = $("sort").value === "arrival";
  dirty = unsorted = true;
  redraw();
});
$("scroll").addEventListener("scroll", () => { release(); settle(); redraw(); });
$("grid").addEventListener("click", (event) => {
  const row = event.target.closest(".row");
  if (row) openDetail(Number(row.dataset.n));
});
$("grid").addEventListener("focus", () => {
  if (here === null && view.length && $("grid").matches(":focus-visible")) select(view.at(-1));
});
addEventListener("pointerdown", (event) => {
  if (event.button === 0 && !event.target.matches("input, select, textarea")) press();
}, true);
// A touch clicks a moment after its end.
addEventListener("pointerup", () => {
  clearTimeout(releasing);
  releasing = setTimeout(release, 300);
}, true);
addEventListener("pointermove", (event) => { if (isPressed && !event.buttons) release(); }, true);
for (const end of ["click", "pointercancel", "contextmenu", "blur"]) addEventListener(end, release);
$("fresh").addEventListener("click", newest);
$("pause").addEventListener("click", pause);
$("found").addEventListener("click", () => {
  $("filter").value = $("filter").value === "has:finding" ? "" : "has:finding";
  applyFilter();
});
$("clear").addEventListener("click", () => send("/inspector/clear"));
$("close").addEventListener("click", closeDetail);
$("mark").addEventListener("click", () => opened !== null && markRow(opened));
$("help").addEventListener("click", () => $("keys").showModal());
$("keys-close").addEventListener("click", () => $("keys").close());
$("text-close").addEventListener("click", () => $("text").close());
$("fault").addEventListener("submit", (event) => {
  event.preventDefault();
  setFault($("fault-status").value);
});
$("fault-off").addEventListener("click", () => setFault(null));
$("copies").addEventListener("click", (event) => {
  const kind = event.target.closest("[data-copy]")?.dataset.copy;
  if (kind) copy(kind);
});
addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
new ResizeObserver(redraw).observe($("list"));

const isOnNetwork = !["127.0.0.1", "localhost"].includes(location.hostname);
$("network").hidden = !isOnNetwork;
document.querySelector(".local").hidden = isOnNetwork;
if (isOnNetwork) $("line").textContent = $("line").textContent.replace(")", ", allowsOtherMachines: true)");

load().then(() => { listen(); pollLanes(); }, () => show(false));
