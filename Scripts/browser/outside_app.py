"""Checks the inspector with another package's app: without and with its tracking plan, and on a network address."""

import argparse
import http.client
import os
import re
import subprocess
import sys
import tempfile
import time

from chromium import Browser, Page
from inspector import CONTRAST, Checks, Demo


class Tool(Demo):
    """The inspector of `Scripts/inspect`, and the app of Tests/Fixtures/OutsideProduct that reports to it."""

    def __init__(self, options, *arguments):
        self.process = subprocess.Popen([options.inspector, *arguments], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.instructions = ""
        for line in self.process.stdout:
            self.instructions += line
            if line.startswith(("Ctrl-C", "and end the inspector")):
                break
        found = re.search(r"inspector +(http://([\d.]+):(\d+))/\?token=(\S+)", self.instructions)
        self.url, self.host, self.port, self.token = found[1], found[2], int(found[3]), found[4]
        self.link = f"{self.url}/?token={self.token}"
        self.app = None

    def run(self, app):
        self.app = subprocess.Popen([app], stdin=subprocess.PIPE, env=dict(os.environ, INSPECTOR_LINK=self.link))

    def request(self, method, path, body=b"", headers=None, token=True, host=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=30)
        headers = dict(headers or {}, Host=host or f"{self.host}:{self.port}", Origin=self.url)
        if token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def close(self):
        if self.app:
            self.app.stdin.close()
            assert self.app.wait(30) == 0, f"the app has ended with {self.app.returncode}"
        self.process.terminate()
        self.process.wait(20)


class OutsideApp(Checks):
    def show(self):
        """Opens the page, and waits until both baskets are delivered to both services."""
        self.page.open(self.demo.link)
        self.page.wait("rows.size === 2 && [...rows.values()].every((row) => row.s.length === 2 && "
                       "row.s.every((s) => s[1] === 'delivered'))", 30)
        self.page.wait("document.querySelectorAll('.row').length === 2 && !drawing && !dirty")

    def details(self, count):
        """Opens the row of a basket, and returns its parameters as the page shows them."""
        [n] = self.filter(f"count:{count}")
        self.filter("")
        self.page.run(f"openDetail({n})")
        self.page.wait(f"detail?.n === {n}")
        shown = self.tab("Parameters")
        assert re.search(rf"count\s+{count}\s+own", shown) and re.search(r"country\s+TR\s+default", shown), shown
        return n

    def without_plan(self):
        """an outside app without a plan: a row is a call of `track`, found by its values"""
        self.demo.run(self.options.app)
        self.show()
        names = self.page.run("[...document.querySelectorAll('.row .event')].map((cell) => cell.innerText)")
        assert names == ["view_cart · basket_opened"] * 2, names
        self.shot("outside-without-plan")
        self.details(3)
        assert self.page.run("!$('grouped').hidden") and "not in plan" not in self.page.run("$('title').innerText")
        self.looks("outside-without-plan-detail")
        self.page.open(self.demo.url + "/plan")
        assert "--plan" in self.page.run("document.body.innerText")

    def with_plan(self):
        """an outside app with its package's plan: rows have the plan's names, and the plan counts them"""
        self.demo.run(self.options.app)
        self.show()
        names = self.page.run("[...document.querySelectorAll('.row .event')].map((cell) => cell.innerText)")
        assert names == ["Basket opened"] * 2, names
        assert self.page.run("[...rows.values()].every((row) => row.p === 'AC')")
        self.shot("outside-with-plan")
        self.details(2)
        assert self.page.run("$('grouped').hidden && $('title').innerText === 'Basket opened'")
        findings = self.tab("Findings")
        assert "rules: GA4" in findings and "rules: plan" not in findings, findings
        self.looks("outside-with-plan-detail")
        self.page.open(self.demo.url + "/plan")
        assert "seen 2 times" in self.page.run("document.body.innerText")
        assert not self.page.run(CONTRAST), self.page.run(CONTRAST)
        self.shot("outside-plan")

    def on_network(self):
        """on another address: a warning, the token for every request, and no receivers"""
        demo = self.demo
        assert "WARNING" in demo.instructions and "allowsOtherMachines: true" in demo.instructions
        self.page.open(demo.link)
        self.page.wait("$('state').textContent === 'live' && !$('network').hidden")
        assert "without encryption" in self.page.run("$('network').innerText")
        assert "allowsOtherMachines: true" in self.page.run("$('empty').innerText")
        assert self.page.run("document.documentElement.scrollHeight <= innerHeight"), "the page scrolls as a whole"
        self.looks("network")
        for path in ("/", "/plan", "/inspector/events", "/mp/collect"):
            assert demo.request("GET", path, token=False)[0] in (403, 404), path
        for path in ("/", "/mp/collect", "/inspector/state"):
            try:
                status = demo.request("POST", path, b"{}", token=False)[0]
            except (http.client.HTTPException, ConnectionError):
                status = None  # it ends the connection before it reads the body
            assert status in (None, 403), f"{path}: {status}"
        assert demo.request("POST", "/mp/collect", b"{}")[0] == 403
        assert demo.request("GET", "/inspector/events", host=f"127.0.0.1:{demo.port}")[0] == 421
        assert demo.rows() == []

    def looks(self, name):
        time.sleep(0.1)
        self.contrast()
        self.names()
        self.shot(name)


def main():
    parser = argparse.ArgumentParser()
    for name in ("inspector", "app", "plan-tool", "chromium"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--screenshots")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as plan:
        subprocess.run([options.plan_tool, "write", plan], check=True, stdout=subprocess.DEVNULL)
        for scheme, width in (("light", 1280), ("dark", 390), ("dark", 1280), ("light", 390))[:4 if options.all else 2]:
            options.name = f"{scheme}-{width}"
            print(f"an outside app, {scheme}, {width} pixels:", flush=True)
            checks = [(OutsideApp.without_plan, []), (OutsideApp.with_plan, ["--plan", plan])]
            if sys.platform == "linux":  # where the loopback address is a whole network
                checks.append((OutsideApp.on_network, ["--network", "127.0.0.2"]))
            for check, arguments in checks:
                start = time.monotonic()
                tool, browser = Tool(options, *arguments), Browser(options.chromium)
                try:
                    page = Page(browser, width=width, height=800)
                    page.scheme(scheme)
                    check(OutsideApp(tool, browser, page, options))
                    result = "passed"
                except Exception as error:  # a check that breaks is a failure, and the others still run
                    result, failed = f"FAILED: {error}", failed + 1
                finally:
                    browser.close()
                    tool.close()
                print(f"  {check.__doc__}: {result} ({time.monotonic() - start:.1f} s)", flush=True)
    print("all passed" if failed == 0 else f"{failed} FAILED")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
