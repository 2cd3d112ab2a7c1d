let terms = [];              // the terms in the input field
let tests = [];              // the tests of the terms that can match
let problems = [];           // the messages about the other terms

const traits = { finding: (row) => row.f > 0, error: (row) => row.h > 0, warning: (row) => row.f > row.h,
  retry: (row) => row.s.some((s) => s[3] > 1) };
const isNumber = (text) => text.trim() !== "" && Number.isFinite(Number(text));

// Whether a row has a value of a key, at any depth: a number that is equal, or a text that contains the value.
function hasValue(row, key, value, isExact) {
  const mark = `\n${key}:`, text = row.search;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    const start = at + mark.length, found = text.slice(start, text.indexOf("\n", start));
    if (isExact ? found === value
      : isNumber(value) && isNumber(found) ? Number(found) === Number(value) : found.includes(value)) {
      return true;
    }
  }
  return false;
}

// A term is `word`, `"some words"`, `key:value`, `is:state` or `has:key`. A minus sign negates it.
function parse(text) {
  const found = text.toLowerCase().matchAll(/(-?)(?:"([^"]*)"?|([^\s":]+):(?:"([^"]*)"?|(\S*))|(\S+))/g);
  return [...found].map(([whole, minus, quoted, key, exact, rest, word]) => {
    const value = quoted ?? exact ?? rest ?? (word === "-" ? "" : word);
    if (!value) return null;
    const made = { whole, ...test(key, value, exact !== undefined) };
    return minus && made.test ? { ...made, test: (row) => !made.test(row) } : made;
  }).filter(Boolean);
}

function test(key, value, isExact) {
  if (key === undefined) return { test: (row) => row.search.includes(value) };
  if (key === "is") {
    if (!Object.keys(signs).some((state) => state.startsWith(value))) return { state: value };
    return { test: (row) => row.s.some((s) => s[1].startsWith(value)) };
  }
  if (key === "has") {
    const trait = Object.keys(traits).find((name) => name.startsWith(value));
    return trait ? { test: traits[trait] } : { key: value, test: (row) => row.search.includes(`\n${value}:`) };
  }
  return { key, test: (row) => hasValue(row, key, value, isExact) };
}

// Removes terms that cannot match, and explains each.
function applyTerms() {
  tests = [];
  problems = [];
  for (const { whole, key, state, test } of terms) {
    if (state) {
      problems.push(`${whole} is ignored: there is no such state. States: ${Object.keys(signs).join(", ")}.`);
    } else if (key && rows.size && !hasKey(key)) {
      const others = whole.startsWith("has:") ? ` Beside keys, has: takes ${Object.keys(traits).join(", ")}.`
        : ` To search for a text with a colon, quote it: "${whole.replace(/^-/, "")}".`;
      problems.push(`${whole} is ignored: no event has the key “${key}”.${others}`);
    } else tests.push(test);
  }
}

function hasKey(key) {
  for (const row of rows.values()) if (row.search.includes(`\n${key}:`)) return true;
  return false;
}

const passes = (row) => tests.every((test) => test(row));

function showProblems() {
  const text = problems.join("\n");
  if ($("problems").textContent === text) return;
  $("problems").textContent = text;
  $("problems").hidden = !text;
}

// The keys and values of the latest rows, each with its number of occurrences.
function counted(part) {
  const counts = new Map();
  for (const n of order.slice(-500)) {
    for (const line of rows.get(n).x.split("\n")) {
      const found = part(line, line.indexOf(":"));
      if (found) counts.set(found, (counts.get(found) ?? 0) + 1);
    }
  }
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([found]) => found);
}

const quotedTerm = (line, colon) =>
  /[\s"]/.test(line) ? `${line.slice(0, colon)}:"${line.slice(colon + 1).replaceAll('"', "")}"` : line;

// The terms that complete a prefix.
function completions(word) {
  const text = word.toLowerCase(), [, key, value] = /^([^:]*):"?(.*)$/.exec(text) ?? [];
  const keys = () => counted((line, colon) => line.slice(0, colon));
  const fits = (candidate) => candidate.toLowerCase().includes(text) && candidate.toLowerCase() !== text;
  const first = (a, b) => b.toLowerCase().startsWith(text) - a.toLowerCase().startsWith(text);
  if (key === "is") return Object.keys(signs).map((state) => `is:${state}`).filter(fits);
  if (key === "has") return [...Object.keys(traits), ...keys()].map((name) => `has:${name}`).filter(fits);
  if (key !== undefined) {
    const lines = counted((line, colon) => line.slice(0, colon).toLowerCase() === key &&
      line.slice(colon + 1).toLowerCase().includes(value) && quotedTerm(line, colon));
    return lines.filter((line) => line.toLowerCase() !== text);
  }
  const names = ["is:", "has:", ...keys().map((name) => `${name}:`)].filter(fits).sort(first);
  if (text.length < 2) return names;
  const lines = counted((line, colon) => line.slice(colon + 1).toLowerCase().includes(text) &&
    quotedTerm(line, colon));
  return [...names.slice(0, 6), ...lines];
}

let choice = -1;             // the index of the selected completion, or -1
const currentWord = () => /-?((?:[^\s":]+:"[^"]*|\S)*)$/.exec($("filter").value)[1];

function showCompletions() {
  const found = document.activeElement === $("filter") ? completions(currentWord()).slice(0, 8) : [];
  choice = -1;
  $("completions").replaceChildren(...found.map((text, index) => el("li", { id: `completion-${index}`,
    role: "option", textContent: text, title: text, "aria-selected": false })));
  $("completions").hidden = !found.length;
  $("filter").setAttribute("aria-expanded", found.length > 0);
  $("filter").removeAttribute("aria-activedescendant");
}

function hideCompletions() {
  $("completions").hidden = true;
  $("filter").setAttribute("aria-expanded", false);
  $("filter").removeAttribute("aria-activedescendant");
  choice = -1;
}

function choose(step) {
  const items = [...$("completions").children];
  choice = Math.min(items.length - 1, Math.max(-1, choice + step));
  items.forEach((item, index) => item.setAttribute("aria-selected", index === choice));
  if (choice < 0) $("filter").removeAttribute("aria-activedescendant");
  else $("filter").setAttribute("aria-activedescendant", `completion-${choice}`);
}

function complete(text) {
  const filter = $("filter"), word = currentWord();
  const isKey = text.endsWith(":");
  filter.value = filter.value.slice(0, filter.value.length - word.length) + text + (isKey ? "" : " ");
  filter.focus();
  applyFilter();
  if (isKey) showCompletions(); else hideCompletions();
}

function applyFilter() {
  terms = parse($("filter").value);
  dirty = true;
  redraw();
}

let typing = 0;
$("filter").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => { applyFilter(); showCompletions(); }, 30);
});
$("filter").addEventListener("focus", showCompletions);
$("filter").addEventListener("blur", hideCompletions);
$("completions").addEventListener("mousedown", (event) => {
  event.preventDefault();  // the filter keeps the focus
  const item = event.target.closest("li");
  if (item) complete(item.textContent);
});
