extension InspectorPage {
    /// The list: its rows, what of them is shown, the filter, and the few elements that show it.
    static let listScript = #"""
        const $ = (id) => document.getElementById(id);
        const el = (tag, properties = {}, ...children) => {
          const element = document.createElement(tag);
          for (const [name, value] of Object.entries(properties)) {
            if (name in element) element[name] = value; else element.setAttribute(name, value);
          }
          element.append(...children);
          return element;
        };
        const height = 28;
        const rows = new Map();      // by number
        let order = [];              // the numbers of all rows, ascending
        let view = [];               // those that the filter lets through and that are not held back
        let services = new Map();    // how often each service occurs
        let horizon = Infinity;      // rows behind it wait until the reader wants them
        let held = 0;                // how many do
        let here = null;             // the selected row
        let opened = null;           // the row whose details are shown
        let marked = null;           // the row that others are compared with
        let paused = false, missed = 0, tests = [], dirty = false;

        const signs = { delivered: ["●", "good"], pending: ["○", "dim"], sending: ["◐", "wait"],
          held: ["‖", "wait"], quarantined: ["■", "bad"], refused: ["✕", "bad"],
          dropped: ["▽", "bad"], answered: ["△", "wait"],
          unanswered: ["△", "wait"] };

        function clock(t) {
          const d = new Date(t), two = (n) => String(n).padStart(2, "0");
          return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.` +
            String(d.getMilliseconds()).padStart(3, "0");
        }

        function prepare(row) {
          const states = row.s.map(([service, state, reason]) => `${service} ${state} ${reason}`).join(" ");
          row.search = `${row.p} ${row.e} ${row.w.join(" ")} ${row.x} ${states}`.toLowerCase();
          return row;
        }

        function parse(text) {
          const made = [];
          for (const [, minus, quoted, word] of text.toLowerCase().matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)) {
            const value = quoted ?? word;
            if (!value || value === "-") continue;
            const [, key, rest] = /^(has|is|service|product|id|user|session|name):(.*)$/.exec(value) ?? [];
            let test = (row) => row.search.includes(value);
            if (key === "has" && rest.startsWith("find")) test = (row) => row.f > 0;
            else if (key === "has") test = (row) => row.s.some((s) => s[3] > 1);
            else if (key === "is") test = (row) => row.s.some((s) => s[1].startsWith(rest));
            else if (key === "service") test = (row) => row.s.some((s) => s[0].toLowerCase().startsWith(rest));
            else if (key === "product") test = (row) => row.p.toLowerCase() === rest;
            else if (key === "name") test = (row) => row.w.some((name) => name.toLowerCase() === rest);
            else if (key) test = (row) => row.x.toLowerCase().includes(rest);
            made.push(minus ? (row) => !test(row) : test);
          }
          return made;
        }

        const passes = (row) => tests.every((test) => test(row));

        function rebuild() {
          dirty = false;
          held = 0;
          view = order.filter((n) => {
            if (!passes(rows.get(n))) return false;
            if (n > horizon) held += 1;
            return n <= horizon;
          });
        }

        function put(list, n) {
          let low = 0, high = list.length;
          if (!high || list[high - 1] < n) return void list.push(n);
          while (low < high) {
            const middle = (low + high) >> 1;
            if (list[middle] < n) low = middle + 1; else high = middle;
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
          prepare(row);
          rows.set(row.n, row);
          for (const [service] of row.s) services.set(service, (services.get(service) ?? 0) + 1);
          if (before) {
            for (const [service] of before.s) services.set(service, services.get(service) - 1);
            if (passes(before) !== passes(row)) dirty = true;
            if (row.n === opened) refreshDetail();
            return;
          }
          put(order, row.n);
          if (!passes(row)) return;
          if (row.n > horizon) held += 1; else put(view, row.n);
        }

        // The list stands still while somebody reads: below the first row, with details open, or paused.
        function isReading() { return paused || opened !== null || $("scroll").scrollTop > height / 2; }
        function settle() {
          if (isReading()) {
            if (horizon === Infinity) horizon = order.at(-1) ?? 0;
          } else if (horizon !== Infinity) {
            horizon = Infinity;
            dirty = true;
          }
        }

        function columns() {
          const wide = $("list").clientWidth;
          const known = [...services].filter(([, count]) => count > 0)
            .sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([service]) => service);
          const count = wide < 560 ? 0 : Math.min(known.length, wide < 900 ? 2 : 3);
          const shown = known.slice(0, count).sort();
          const more = known.length > count;
          const template = wide < 560
            ? `66px 24px minmax(0, 1fr) ${more ? "52px" : ""} 16px`
            : `96px 34px minmax(0, 1.6fr) ${shown.map(() => "minmax(0, 1fr)").join(" ")} ` +
              `${more ? "minmax(0, 1fr)" : ""} 22px`;
          document.documentElement.style.setProperty("--columns", template);
          return { shown, more, narrow: wide < 560 };
        }

        function chip([service, state, reason, arrivals], { named, short }) {
          const [sign, tone] = signs[state] ?? ["·", "dim"];
          const times = arrivals > 1 ? ` ×${arrivals}` : "";
          // Among others a name says more than the word of the usual state.
          const word = named && state === "delivered" ? "" : state;
          const text = short ? sign : [sign, named && service, word, reason].filter(Boolean).join(" ") + times;
          return el("span", { className: tone, title: `${service}: ${state} ${reason}${times}`.trim() }, text + " ");
        }

        function rowElement(n, index, layout) {
          const row = rows.get(n);
          const of = (service) => row.s.filter((s) => s[0] === service).map((s) => chip(s, {}));
          const others = row.s.filter((s) => !layout.shown.includes(s[0]));
          const cell = (name, ...children) => el("span", { className: name, role: "gridcell" }, ...children);
          const name = row.e ? [row.e] : [row.w[0]];
          if (!row.e && !row.a) name.push(el("span", { className: "dim note" }, " (not in plan)"));
          const time = clock(row.t).slice(0, layout.narrow ? 8 : 12);
          const cells = [cell("time", time), cell("product", row.p || "–"), cell("event", ...name)];
          for (const service of layout.shown) {
            const chips = of(service);
            cells.push(cell("", ...(chips.length ? chips : [el("span", { className: "dim" }, "–")])));
          }
          if (layout.more) {
            cells.push(cell("", ...others.map((s) => chip(s, { named: !layout.narrow, short: layout.narrow }))));
          }
          cells.push(cell("number", row.f ? String(row.f) : ""));
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
          drawing = false;
          const scroll = $("scroll"), grid = $("grid");
          const top = view.length ? view.length - 1 - Math.round(scroll.scrollTop / height) : 0;
          const anchor = horizon === Infinity ? null : view[top];
          if (dirty) {
            rebuild();
            const place = anchor ? view.indexOf(anchor) : -1;
            if (place >= 0 && scroll.scrollTop > 0) scroll.scrollTop = (view.length - 1 - place) * height;
          }
          const layout = columns();
          const first = Math.max(0, Math.floor(scroll.scrollTop / height) - 4);
          const last = Math.min(view.length, first + Math.ceil(scroll.clientHeight / height) + 8);
          const made = [];
          for (let index = first; index < last; index += 1) {
            made.push(rowElement(view[view.length - 1 - index], index, layout));
          }
          grid.replaceChildren(...made);
          grid.style.height = `${view.length * height}px`;
          grid.setAttribute("aria-rowcount", view.length);
          if (here !== null && $(`row-${here}`)) grid.setAttribute("aria-activedescendant", `row-${here}`);
          else grid.removeAttribute("aria-activedescendant");
          const others = layout.narrow ? "" : "others";
          const titles = ["time", layout.narrow ? "" : "prod", "event", ...layout.shown,
            layout.more ? others : null, "!"];
          $("head").replaceChildren(...titles.filter((title) => title !== null).map((title) => el("span", {}, title)));
          $("empty").hidden = rows.size > 0;
          $("none").hidden = rows.size === 0 || view.length > 0;
          $("fresh").hidden = held === 0;
          $("fresh").textContent = `▲ +${held.toLocaleString("en")} new`;
          let findings = 0;
          for (const row of rows.values()) if (row.f) findings += 1;
          const shown = tests.length ? `${(view.length + held).toLocaleString("en")} of ` : "";
          $("count").textContent = `${shown}${rows.size.toLocaleString("en")} events` +
            (findings ? `, ${findings.toLocaleString("en")} with findings` : "");
          $("gap").hidden = missed === 0;
          $("gap").textContent = `${missed.toLocaleString("en")} changes came faster than this page could follow; ` +
            "all rows that are kept were loaded again";
        }

        let drawing = false;
        function redraw() {
          if (drawing) return;
          drawing = true;
          requestAnimationFrame(draw);
        }
        """#
}
