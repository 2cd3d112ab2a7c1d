"""Checks the inspector's page in a real browser, in light and dark mode, 1280 and 390 pixels wide."""

import argparse
import gzip
import http.client
import http.server
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time

from chromium import Browser, Page


class Demo:
    """The demo with its inspector, which runs its journey."""

    def __init__(self, program, plan):
        self.queue = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [program, "--inspect", "--plan", plan, "--queue", self.queue.name], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"inspector: (http://127\.0\.0\.1:(\d+))/\?token=(\S+)", line):
                self.url, self.port, self.token = found[1], int(found[2]), found[3]
                break
        else:
            raise RuntimeError("the demo has printed no link")
        self.link = f"{self.url}/?token={self.token}"
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def again(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def request(self, method, path, body=b"", headers=None, token=True, host=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = dict(headers or {}, Host=host or f"127.0.0.1:{self.port}")
        if token:
            headers["Authorization"] = f"Bearer {self.token}"
            headers.setdefault("Origin", f"http://127.0.0.1:{self.port}")
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def send(self, path, body, headers=None):
        status, _ = self.request("POST", path, body if isinstance(body, bytes) else body.encode(), headers, token=False)
        return status

    def state(self, path):
        status, text = self.request("GET", path)
        assert status == 200, f"{path}: {status}"
        return json.loads(text)

    def rows(self):
        return self.state("/inspector/events")["rows"]

    def lanes(self):
        return {lane["lane"]: lane for lane in self.state("/inspector/lanes")["lanes"]}

    def memory(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1]) // 1024

    def close(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.queue.cleanup()


def new_id(milliseconds=None):
    text = f"{milliseconds or time.time_ns() // 1_000_000:012x}7{secrets.token_hex(2)[:3]}a{secrets.token_hex(8)[:15]}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def row(name, **members):
    return json.dumps({"event_id": members.pop("event_id", None) or new_id(), "name": name, "ts_ms": 1, "session_id": "s", "device_id": "d",
                       "product": "XY", "props": "{\"n\":1}", **members})


def rows_of(count, name):
    return "\n".join(row(f"{name}_{number % 7}") for number in range(count)) + "\n"


def until(condition, what, seconds=20):
    start = time.monotonic()
    while not (found := condition()):
        assert time.monotonic() - start < seconds, f"after {seconds} s still not: {what}"
        time.sleep(0.05)
    return found


class Checks:
    def __init__(self, demo, browser, page, options):
        self.demo, self.browser, self.page, self.options = demo, browser, page, options

    def shot(self, name):
        if self.options.screenshots:
            os.makedirs(self.options.screenshots, exist_ok=True)
            time.sleep(0.25)
            self.page.shot(f"{self.options.screenshots}/{name}-{self.options.name}.png")

    def fault(self, **fault):
        assert self.demo.request("POST", "/inspector/fault", json.dumps(fault).encode())[0] == 204

    def open(self, condition):
        """Opens the newest row that meets a condition, and returns its number."""
        n = self.page.run(f"[...rows.values()].filter((row) => {condition}).at(-1)?.n ?? null")
        assert n is not None, f"no row: {condition}"
        self.page.run(f"openDetail({n})")
        self.page.wait(f"detail?.n === {n}")
        return n

    def tab(self, name):
        self.page.run(f"[...$('tabs').children].find((tab) => tab.textContent.startsWith('{name}')).click()")
        return self.page.run("$('panel').innerText")

    def close(self):
        self.page.run("closeDetail()")

    def rows_are_calls(self):
        """2 rows are the demo's track calls; bodies are those that arrived, byte for byte"""
        lanes = until(lambda: self.settled(), "every lane has delivered")
        rows = self.demo.rows()
        for product in ("DL", "SF", "TY"):
            # Each call has an AwesomeTracking event. Vendors receive only the calls of capabilities.
            calls = lanes[f"{product}/awesomeTracking"]["sender"]["accepted"]
            called = [r for r in rows if r["p"] == product and "awesomeTracking" in {s[0] for s in r["s"]}]
            assert len(called) == calls, f"{product}: {len(called)} rows of {calls} calls"
        both = sum({"firebase", "awesomeTracking"} <= {s[0] for s in r["s"]} for r in rows)
        firebase = sum(lanes[f"{p}/firebase"]["sender"]["accepted"] for p in ("DL", "SF", "TY"))
        assert both == firebase, f"{both} rows with both services of {firebase}"
        # An event of the plan may also name a vendor. The calls of capabilities are not in any plan.
        alone = sum(s[0] not in ("firebase", "awesomeTracking") for r in rows for s in r["s"])
        assert all(len(r["s"]) == 1 or r["g"] for r in rows if not r["e"])
        vendors = sum(lane.get("sender", {}).get("accepted", 0) for name, lane in lanes.items()
                      if name.split("/")[1] not in ("firebase", "awesomeTracking"))
        assert alone == vendors, f"{alone} rows alone of {vendors} deliveries to vendors"
        self.page.wait(f"rows.size === {len(rows)}")
        self.shot("list")
        strange = '{ "event_id" : "%s", "name":"b\\u00fcyük 𝄞", "x":1.0e2 ,"y":[ ] }' % new_id()
        body = f"\n{strange}\r\n{row('other')}\n".encode()
        assert self.demo.send("/", gzip.compress(body), {"Content-Encoding": "gzip"}) == 200
        self.page.wait("[...rows.values()].some((row) => row.w[0] === 'büyük 𝄞')")
        n = self.open("row.w[0] === 'büyük 𝄞'")
        detail = self.demo.state(f"/inspector/event/{n}")
        assert detail["services"][0]["body"] == strange + "\r", repr(detail["services"][0]["body"])
        assert self.page.run("detail.services[0].body") == strange + "\r"
        self.close()

    def settled(self):
        lanes = self.demo.lanes()
        told = [lane["sender"] for lane in lanes.values() if "sender" in lane]
        busy = [lane for lane in told if lane["accepted"]]
        isDone = busy and all(lane["pending"] == 0 for lane in told) and len(busy) >= 6
        states = [s[1] for r in self.demo.rows() for s in r["s"]]
        return lanes if isDone and all(state in ("delivered", "quarantined") for state in states) else None

    def origins(self):
        """4 currency is the event's own over the default, channel is the default"""
        self.open("row.e === 'Order placed' && row.p === 'DL'")
        self.page.run("tab = 'Parameters'; showDetail()")
        origins = self.page.run(
            "Object.fromEntries([...$('panel').querySelectorAll('tr')].map((line) => [...line.cells].map("
            "(cell) => cell.textContent)).map(([key, value, from]) => [key, value + ' ' + from]))")
        assert origins["currency"] == "TRY own over default", origins["currency"]
        assert origins["channel"] == "dolap_lite default", origins["channel"]
        self.shot("detail")
        self.open("row.e === 'Product viewed' && row.p === 'DL'")
        self.shot("product-viewed")
        self.open("row.e === 'Order placed' && row.p === 'DL'")
        test = self.page.run("testText()")
        assert test.startswith("event.expectServices {\n    FirebaseEvent("), test
        assert '"transaction_id": "DL-2041"' in test and '"channel"' not in test, test
        self.close()

    def one_refused(self):
        """3 fault 400: that one event is quarantined, its neighbours are delivered"""
        before = max(r["n"] for r in self.demo.rows())
        self.fault(service="awesomeTracking", status=400, event="order_placed",
                   answer="Code: 27. DB::Exception: Cannot parse input: expected '\"' before: 'TRY': (at row 1)")
        self.demo.again()

        def quarantined():
            rows = [r for r in self.demo.rows() if r["n"] > before]
            return rows if any(s[1] == "quarantined" for r in rows for s in r["s"]) and self.settled() else None

        rows = until(quarantined, "an event is quarantined")
        states = [(r["w"], s) for r in rows for s in r["s"]]
        refused = [(w, s) for w, s in states if s[1] == "quarantined"]
        assert len(refused) == 1 and "order_placed" in refused[0][0] and "27" in refused[0][1][2], refused
        assert all(s[1] == "delivered" for w, s in states if s[1] != "quarantined")
        self.page.wait("[...rows.values()].some((row) => row.s.some((s) => s[1] === 'quarantined'))")
        self.open("row.s.some((s) => s[1] === 'quarantined')")
        assert "Code: 27" in self.tab("Attempts")
        self.shot("attempts")
        self.close()
        self.page.run("document.querySelector('#faults').open = true")
        self.page.wait("$('fault-list').childElementCount === 1")
        self.shot("faults")
        self.page.run("document.querySelector('#faults').open = false")
        self.fault(service="awesomeTracking")

    def rules(self):
        """5 a purchase without transaction_id, and an event that is not in the plan, are found with their paths"""
        item = {"item_id": "1", "price": 1.5, "quantity": 1}
        event = {"name": "purchase", "params": {"event_id": new_id(), "currency": "TRY", "value": 1.5, "items": [item]}}
        body = json.dumps({"app_instance_id": "a" * 32, "events": [event]})
        assert self.demo.send("/mp/collect?api_secret=hidden", body) == 200
        assert self.demo.send("/", row("no_such_event", product="DL")) == 200
        self.page.wait("[...rows.values()].some((row) => row.w[0] === 'no_such_event')")
        self.open("row.w[0] === 'purchase' && row.s.length === 1")
        findings = self.tab("Findings")
        assert "error VALUE_REQUIRED params.transaction_id" in findings, findings
        assert "Cure: Set “transaction_id” in the event's Firebase part." in findings, findings
        self.shot("findings")
        curl = self.page.run("copies.curl()")
        assert "hidden" not in curl and "api_secret=REDACTED" in curl, curl
        assert "hidden" not in self.demo.request("GET", "/inspector/export.har")[1]
        self.open("row.w[0] === 'no_such_event'")
        findings = self.tab("Findings")
        assert "warning not_in_plan no_such_event" in findings and "Cure: Add the event" in findings, findings
        self.close()
        self.page.open(self.demo.url + "/plan")
        plan = self.page.run("document.body.innerText")
        assert "seen 2 times" in plan and "never seen" in plan, "the plan's page counts nothing"
        assert not self.page.run(CONTRAST), self.page.run(CONTRAST)
        self.shot("plan")
        self.page.open(self.demo.url)
        self.page.wait("$('state').textContent === 'live' && rows.size > 0")

    def filter(self, text):
        """Filters the list, and returns the numbers of the visible rows."""
        self.page.run(f"$('filter').value = {json.dumps(text)}; applyFilter()")
        self.page.wait("!drawing && !dirty")
        return sorted(self.page.run("view"))

    def search(self):
        """11 the filter finds values, ids, keys and findings, and lists terms as one types"""
        rows = self.demo.rows()
        texts = {}
        for r in rows:
            services = self.demo.state(f"/inspector/event/{r['n']}")["services"]
            parts = [s["body"].replace("\\", "") for s in services] + [
                f"{f['code']} {f['path']} {f['text']}" for s in services for f in s["findings"]]
            texts[r["n"]] = "\n".join(parts).lower()
        price = re.search(r'"price":(\d+)(?:\.0+)?[,}]', "\n".join(texts.values()))[1]
        some_id = self.page.run("[...rows.values()].find((row) => row.e === 'Order placed').x.match(/^id:(.*)$/m)[1]")
        for term, pattern in {
            "DL-2041": "dl-2041", some_id: re.escape(some_id), "transaction_id": "transaction_id",
            "transaction_id:dl-2041": '"transaction_id":"dl-2041"', f"price:{price}": rf'"price":{price}(\.0+)?[,}}]',
            "requires it": "requires it", "finding:value_required": "value_required", "has:price": '"price":',
        }.items():
            term = f'"{term}"' if " " in term else term
            expected = sorted(n for n, text in texts.items() if re.search(pattern, text))
            found = self.filter(term)
            assert expected and found == expected, f"{term}: {found} instead of {expected}"
            assert sorted(found + self.filter(f"-{term}")) == sorted(texts), f"-{term}"
        self.filter("")
        self.page.run("$('filter').focus()")
        self.page.type("pric")
        self.page.wait("$('completions').firstElementChild?.innerText === 'price:'")
        self.page.press("ArrowDown", 40)
        self.page.press("Enter", 13)
        self.page.wait(f"$('filter').value === 'price:' && $('completions').innerText.includes('price:{price}')")
        self.shot("terms")
        self.contrast()
        self.names()
        self.page.press("ArrowDown", 40)
        self.page.press("Enter", 13)
        self.page.wait("/^price:[0-9.]+ $/.test($('filter').value) && $('completions').hidden && view.length > 0")
        self.shot("search")
        for text, listed in {"is:": "is:quarantined", "has:": "has:finding", "dl-20": "transaction_id:DL-2041"}.items():
            self.page.run(f"$('filter').value = ''; $('filter').focus()")
            self.page.type(text)
            self.page.wait(f"$('completions').innerText.includes('{listed}')")
        self.page.press("Escape", 27)
        self.page.wait("$('completions').hidden && document.activeElement.id === 'filter'")
        self.page.run("$('filter').blur()")
        self.filter("")

    def unknown_terms(self):
        """12 an unknown term has a message and hides nothing; a known key without such a value empties the list"""
        count = self.page.run("rows.size")
        for term, message in {"prise:180": "no event has the key “prise”", "is:nowhere": "States: delivered, queued",
                              "has:nothing": "has: takes finding", "http://x": 'quote it: "http://x"'}.items():
            assert len(self.filter(term)) == count, f"{term} hides rows"
            shown = self.page.run("$('problems').hidden ? '' : $('problems').innerText")
            assert term in shown and message in shown, shown
        self.filter("prise:180 service:firebase")
        assert 0 < self.page.run("view.length") < count
        self.shot("unknown-term")
        self.contrast()
        assert self.filter("price:987654321") == [] and self.page.run("$('problems').hidden && !$('none').hidden")
        assert self.filter("is:") and self.filter("price:") and self.page.run("$('problems').hidden")
        self.filter("")

    def sorting(self):
        """13 rows are in the order of tracking, or in that of arrival"""
        base = time.time_ns() // 1_000_000
        for name, offset in (("third", 2_000), ("first", 0), ("second", 1_000)):
            assert self.demo.send("/", row(f"sorted_{name}", event_id=new_id(base + offset))) == 200
        self.page.wait("[...rows.values()].some((row) => row.w[0] === 'sorted_second')")
        self.filter("name:sorted_")
        names = "[...document.querySelectorAll('.row')].map((row) => row.querySelector('.event').firstChild.data)"
        self.page.wait(f"({names}).join() === 'sorted_third,sorted_second,sorted_first'")
        self.shot("as-tracked")
        self.page.run("document.activeElement.blur()")
        self.page.press("o")
        self.page.wait(f"({names}).join() === 'sorted_second,sorted_first,sorted_third'")
        assert "arrived" in self.page.run("$('head').innerText")
        self.shot("as-arrived")
        self.page.press("o")
        self.filter("")
        times = self.page.run("view.map((n) => rows.get(n)).filter((row) => row.p === 'DL').map((row) => row.k)")
        assert times == sorted(times) and len(times) > 10

    def values(self):
        """14 lists and objects are indented and collapse; each state is spelled out"""
        self.open("row.e === 'Order placed' && row.p === 'DL'")
        self.page.run("tab = 'Parameters'; showDetail()")
        trees = "[...$('panel').querySelectorAll('.tree')]"
        assert self.page.run(f"{trees}.length") >= 2, "no value is a tree"
        shown = self.page.run(f"{trees}[0].innerText")
        assert re.search(r"price: \d", shown), shown
        indents = self.page.run(f"{trees}.slice(0, 2).map((tree) => tree.getBoundingClientRect().left)")
        assert indents[1] > indents[0] + 8, indents
        cells = self.page.run("[...document.querySelectorAll('.narrow .row')].map((row) => row.childElementCount)")
        assert cells and set(cells) == {5}, f"beside the details, a row has {cells} cells"
        self.shot("values")
        self.page.run(f"{trees}[0].querySelector('summary').click()")
        self.page.wait(f"!{trees}[0].open && !/price/.test({trees}[0].innerText)")
        self.page.run("refreshDetail()")
        time.sleep(0.4)
        assert not self.page.run(f"{trees}[0].open"), "a closed value has opened by itself"
        self.page.run(f"{trees}[0].querySelector('summary').click()")
        self.close()
        self.filter("service:braze")
        self.page.wait("document.querySelectorAll('.row').length > 0")
        rows = self.page.run("[...document.querySelectorAll('.row')].map((row) => row.innerText)")
        assert all("delivered" in text or "pending" in text for text in rows), rows
        self.shot("others")
        self.filter("")

    def empty(self):
        """1 the empty page shows the address; nothing complains"""
        self.page.run("$('clear').click()")
        self.page.wait("rows.size === 0 && !$('empty').hidden")
        self.page.open(self.demo.url)
        self.page.wait("$('state').textContent === 'live'")
        assert self.demo.url in self.page.run("$('empty').innerText")
        assert self.demo.token not in self.page.run("document.documentElement.outerHTML")
        self.shot("empty")
        assert not self.page.complaints(), self.page.complaints()

    def many(self):
        """6 50,000 rows: shown within 2 s, in under 1,000 elements, filtered within 100 ms, in constant memory"""
        memory = []
        for _ in range(2):
            for _ in range(50):
                assert self.demo.send("/", rows_of(1_000, "many")) == 200
            until(lambda: self.page.run("rows.size") == 50_000, "the page has followed")
            self.page.call("HeapProfiler.collectGarbage")
            memory.append((self.demo.memory(), self.page.call("Runtime.getHeapUsage")["usedSize"] >> 20))
        start = time.monotonic()
        self.page.call("Page.navigate", url=self.demo.url)
        self.page.wait("typeof rows === 'object' && rows.size === 50000 && document.querySelectorAll('.row').length > 9")
        shown = time.monotonic() - start
        elements = self.page.run("document.querySelectorAll('*').length")
        filtered = min(self.page.run(  # the best of three: the machine may be busy with something else
            "(() => { const start = performance.now(); terms = parse('many -many_3 n:1 service:awesome'); dirty = true;"
            " draw(); const time = performance.now() - start; terms = []; dirty = true; draw(); return time; })()")
            for _ in range(3))
        self.note = f"{shown:.2f} s, {elements} elements, {filtered:.0f} ms; inspector and page in MB: " + \
            ", then ".join(f"{own} and {page}" for own, page in memory)
        assert shown < 2 and elements < 1_000 and filtered < 100, self.note
        # At the first measurement the ring buffer has just become full, and its tables still grow to their final size.
        assert memory[1][0] < memory[0][0] * 1.5 and memory[1][1] < memory[0][1] * 1.3 + 10, self.note

    def frozen(self):
        """7 an open row stays where it is while 1,000 others arrive; +1,000 shows"""
        self.page.wait("stream?.readyState === 1")
        self.page.run("$('scroll').scrollTop = 280")
        self.page.run("openDetail(view[view.length - 15])")
        self.page.wait("detail !== null")
        top = "$('row-' + opened).getBoundingClientRect().top"
        before = self.page.run(top)
        assert self.demo.send("/", rows_of(1_000, "later")) == 200
        self.page.wait("!$('fresh').hidden && $('fresh').textContent.includes('+1,000')")
        time.sleep(0.2)
        assert self.page.run(top) == before
        self.shot("frozen")
        self.page.run("newest()")
        self.page.wait("view.length === rows.size && $('fresh').hidden && opened === null")

    def keyboard(self):
        """8 the keyboard suffices; each control has a name, each text a contrast of 4.5"""
        press, wait = self.page.press, self.page.wait
        self.page.run("here = null; document.activeElement.blur()")
        press("/")
        wait("document.activeElement.id === 'filter'")
        self.page.type("later")
        wait("view.length > 0 && view.length < 2000")
        press("Enter", 13)
        wait("document.activeElement.id === 'grid' && here !== null && opened === null")
        first = self.page.run("here")
        press("j")
        press("j")
        press("k")
        wait(f"here !== {first} && opened === null")
        wait("$('grid').getAttribute('aria-activedescendant') === 'row-' + here")  # drawn with the next frame
        press("d")
        wait("marked === here")
        press("j")
        press("Enter", 13)
        wait("detail !== null && document.activeElement.id === 'title'")
        press("5")
        wait("$('tabs').querySelector('[aria-selected=true]').textContent === 'Diff'")
        self.contrast()
        self.names()
        press("Escape", 27)
        wait("opened === null && document.activeElement.id === 'grid'")
        press("?")
        wait("$('keys').open")
        self.shot("keys")
        press("Escape", 27)
        wait("!$('keys').open")
        press("p")
        wait("paused")
        press("p")
        wait("!paused")
        self.page.run("$('filter').value = ''; $('filter').dispatchEvent(new Event('input')); markRow(marked)")
        wait("view.length === 50000")

    def names(self):
        nodes = self.page.call("Accessibility.getFullAXTree")["nodes"]
        roles = {"button", "checkbox", "combobox", "grid", "link", "searchbox", "spinbutton", "tab", "tablist",
                 "tabpanel", "textbox", "DisclosureTriangle", "dialog", "list"}
        nameless = [node["role"]["value"] for node in nodes if not node.get("ignored")
                    and node["role"]["value"] in roles and not node.get("name", {}).get("value")]
        assert not nameless, f"without a name: {nameless}"

    def contrast(self):
        found = self.page.run(CONTRAST)
        assert not found, f"too little contrast: {found}"

    def strangers(self):
        """9 another host gets 421, another origin 403 or nothing, a POST without the token 403"""
        demo = self.demo
        count = len(demo.rows())
        assert demo.request("GET", "/", host=f"evil.test:{demo.port}")[0] == 421
        assert demo.request("POST", "/inspector/clear", token=False)[0] == 403
        assert demo.request("GET", "/inspector/events", token=False)[0] == 403
        assert demo.request("GET", "/?token=" + "0" * 32, token=False)[0] == 403
        for path in ("/", "/inspector/clear"):
            status, _ = demo.request("POST", path, row("evil").encode(), {"Origin": "http://evil.test"})
            assert status == 403, f"{path}: {status}"
        other = Page(self.browser)
        other.open(f"http://evil.test:{demo.port}/?token={demo.token}")
        assert "accepts only requests to" in other.run("document.body.innerText")
        server = http.server.HTTPServer(("127.0.0.1", 0), Foreign)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        other.open(f"http://127.0.0.1:{server.server_port}/")
        for options in ("{}", "{ credentials: 'include' }", "{ method: 'POST', body: '{}' }"):
            for path in ("/", "/inspector/events", "/inspector/clear"):
                answer = other.run(f"fetch('{demo.url}{path}', {options}).then(() => 'read', () => 'refused')")
                assert answer == "refused", f"{path} {options}"
        other.run(f"fetch('{demo.url}/', {{ method: 'POST', mode: 'no-cors', body: '{{\"name\":\"evil\"}}' }})")
        server.shutdown()
        other.close()
        rows = demo.rows()
        assert len(rows) == count and not any("evil" in r["w"] for r in rows)

    def cuts(self):
        """10 a cut stream leaves no gap and brings nothing twice; seven tabs all answer"""
        self.page.run("newest(); cuts = 0; stream.addEventListener('error', () => { cuts += 1; })")
        for _ in range(4):
            assert self.demo.send("/", rows_of(300, "cut")) == 200
            self.fault(service="stream")
            assert self.demo.send("/", rows_of(300, "cut")) == 200
            self.page.wait("$('state').textContent === 'disconnected'")
            self.page.wait("stream?.readyState === 1")
        numbers = [r["n"] for r in self.demo.rows()]
        self.page.wait(f"rows.has({numbers[-1]})")
        assert self.page.run("cuts") >= 4
        self.page.wait("!drawing && !dirty")
        order = self.page.run("order")
        assert sorted(order) == numbers, "the page has other rows than the inspector"
        assert self.page.run("view") == order, "the list shows other rows than the page has"
        assert order == self.page.run("(sort(), order)"), "the list is not in order"
        tabs = []
        for _ in range(6):
            tab = Page(self.browser)
            tab.call("Page.navigate", url=self.demo.url)
            tab.wait(f"typeof rows === 'object' && rows.size === {len(numbers)}", 10)
            tabs.append(tab)
        assert self.demo.send("/", row("last")) == 200
        for tab in tabs + [self.page]:
            tab.call("Page.bringToFront")
            tab.wait("[...rows.values()].at(-1).w[0] === 'last' && $('state').textContent === 'live'", 10)
        for tab in tabs:
            tab.close()

    def run(self):
        self.page.open(self.demo.link)
        failed = 0
        for check in (self.rows_are_calls, self.origins, self.one_refused, self.rules, self.search, self.unknown_terms,
                      self.sorting, self.values, self.empty, self.many, self.frozen, self.keyboard, self.strangers,
                      self.cuts):
            if self.options.only and check.__name__ not in self.options.only.split(","):
                continue
            start, self.note = time.monotonic(), ""
            try:
                check()
                result = "passed"
            except Exception as error:  # a check that breaks is a failure, and the others still run
                result, failed = f"FAILED: {error}", failed + 1
            note = f": {self.note}" if self.note and result == "passed" else ""
            print(f"  {check.__doc__}{note}: {result} ({time.monotonic() - start:.1f} s)", flush=True)
        return failed


class Foreign(http.server.BaseHTTPRequestHandler):
    """A page of another origin."""

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>foreign</title>")

    def log_message(self, *_):
        pass


# The texts with too little contrast to their background, by the formula of WCAG 2.
CONTRAST = """
(() => {
  const read = (color) => (color.match(/[\\d.]+/g) ?? []).map(Number);
  const light = (color) => read(color).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!color.startsWith("rgba") && color !== "transparent") return color;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !element.checkVisibility() || element.closest(":disabled")) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${walker.currentNode.data.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(found)].slice(0, 8);
})()
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--demo", required=True)
    parser.add_argument("--plan", required=True)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--screenshots")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", help="the names of some checks, with commas between them")
    options = parser.parse_args()
    failed = 0
    for scheme, width in (("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390))[:4 if options.all else 2]:
        options.name = f"{scheme}-{width}"
        print(f"{scheme}, {width} pixels:", flush=True)
        demo = Demo(options.demo, options.plan)
        browser = Browser(options.chromium, "--host-resolver-rules=MAP evil.test 127.0.0.1")
        try:
            page = Page(browser, width=width, height=800)
            page.scheme(scheme)
            failed += Checks(demo, browser, page, options).run()
        finally:
            browser.close()
            demo.close()
    print("all passed" if failed == 0 else f"{failed} FAILED")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
