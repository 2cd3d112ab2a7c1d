const $ = (id) => document.getElementById(id);
const search = $("search"), input = search.querySelector("input");
const index = document.querySelector("nav details"), found = index.querySelector("output");
const phone = matchMedia("(max-width: 800px)");
const all = found.textContent;
const events = [...document.querySelectorAll("section")].map((section) => {
  const examples = [...section.querySelectorAll("details")];
  const hidden = examples.map((example) => example.textContent).join("\n").toLowerCase();
  return { section, examples, text: section.textContent.toLowerCase(), hidden,
    link: document.querySelector(`nav a[href="#${CSS.escape(section.id)}"]`),
    parts: [...section.querySelectorAll("[data-service]")] };
});
function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word);
  const product = $("product").value, service = $("service").value;
  let count = 0;
  for (const { section, examples, hidden, link, text, parts } of events) {
    for (const part of parts) part.hidden = service !== "" && part.dataset.service !== service;
    const matches = words.every((word) => text.includes(word)) && (!product || section.dataset.product === product) &&
      parts.some((part) => !part.hidden);
    section.hidden = link.parentElement.hidden = !matches;
    count += matches;
    for (const example of examples) example.open = matches && words.some((word) => hidden.includes(word));
  }
  for (const group of document.querySelectorAll(".group")) {
    group.hidden = !group.querySelector(":is(section, nav li):not([hidden])");
  }
  const isFiltered = words.length > 0 || product !== "" || service !== "";
  $("overview").hidden = isFiltered;
  found.textContent = !isFiltered ? all : count === 0 ? "no event" : `${count} of ${all}`;
  if (words.length > 0) index.open = true;
  mark(words);
  locate();
}
// Marks the words in the visible events.
function mark(words) {
  if (!CSS.highlights) return;
  const ranges = [];
  for (const { section } of words.length ? events : []) {
    if (section.hidden) continue;
    const texts = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.data.toLowerCase();
      for (const word of words) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(texts.currentNode, at);
          range.setEnd(texts.currentNode, at + word.length);
          ranges.push(range);
        }
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}
// Marks the event at the top of the window in the index, and keeps it visible there.
function locate() {
  const edge = phone.matches ? 140 : 20;
  const first = events.find(({ section }) => !section.hidden && section.getBoundingClientRect().bottom > edge);
  for (const { link } of events) link.removeAttribute("aria-current");
  if (!first) return;
  first.link.setAttribute("aria-current", "true");
  const nav = index.parentElement, { top, bottom } = first.link.getBoundingClientRect();
  if (!phone.matches && (top < 120 || bottom > innerHeight)) nav.scrollTop += top - innerHeight / 2;
}
addEventListener("scroll", locate, { passive: true });
for (const field of [input, $("product"), $("service")]) field.addEventListener("input", show);
document.addEventListener("keydown", (key) => {
  if (key.key === "/" && document.activeElement !== input) { key.preventDefault(); input.focus(); }
  if (key.key === "Escape" && document.activeElement === input) { input.value = ""; show(); }
});
$("overview").addEventListener("click", (click) => {
  const { product, service } = click.target.dataset;
  if (product === undefined) return;
  $("product").value = product;
  $("service").value = service;
  show();
});
index.addEventListener("click", (click) => {
  if (phone.matches && click.target.closest("a")) index.open = false;
});
search.hidden = false;
index.open = !phone.matches;
locate();
