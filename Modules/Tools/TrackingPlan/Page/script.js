const search = document.getElementById("search"), input = search.querySelector("input");
const found = search.querySelector("output"), index = document.querySelector("nav details");
const phone = matchMedia("(max-width: 800px)");
const events = [...document.querySelectorAll("section")].map((section) => ({
  section, link: document.querySelector(`nav a[href="#${CSS.escape(section.id)}"]`).parentElement,
  text: section.textContent.toLowerCase(),
}));
function show() {
  const words = input.value.toLowerCase().split(/\s+/).filter((word) => word);
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
