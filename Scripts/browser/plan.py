"""Checks the tracking plan's page in a real browser, with the content security policy of the inspector."""

import argparse
import functools
import http.server
import os
import sys
import threading
import time

from chromium import Browser, Page

SHOWN = "[...document.querySelectorAll('section')].filter((section) => section.offsetHeight > 0)"
LINKS = "[...document.querySelectorAll('nav li')].filter((item) => !item.hidden)"


class Server(http.server.BaseHTTPRequestHandler):
    """A server that returns the page for every request. The policy allows only the page's own style and script."""

    def __init__(self, html, *arguments):
        self.html = html
        super().__init__(*arguments)

    def do_GET(self):
        body = self.html.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Security-Policy",
                         "default-src 'none'; style-src 'nonce-check'; script-src 'nonce-check'")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Check:
    def __init__(self, browser, url, options, width, scheme):
        self.options, self.is_phone = options, width < 800
        self.name = f"{width}-{scheme}"
        self.page = Page(browser, width=width, height=844)
        self.page.scheme(scheme)
        self.page.open(url)
        self.run = self.page.run

    def shot(self, name):
        if self.options.screenshots:
            os.makedirs(self.options.screenshots, exist_ok=True)
            time.sleep(0.3)
            self.page.shot(os.path.join(self.options.screenshots, f"plan-{self.name}-{name}.png"))

    def search(self, text):
        self.run("document.querySelector('nav input').focus()")
        self.page.press("Escape", 27)
        self.page.type(text)
        return self.run(f"{SHOWN}.map((section) => section.id)")

    def lines(self):
        """the lines of an event, as a reader sees them"""
        return [line.strip() for line in self.run("document.getElementById('DLPaymentSelected').innerText").split("\n")]

    def line_after(self, label):
        lines = self.lines()
        return lines[lines.index(label) + 1] if label in lines[:-1] else ""

    def value_meaning(self, value):
        """the meaning of an allowed value, which follows it"""
        return next((line[len(value) + 1:] for line in self.lines() if line.startswith(value + " ")), "")

    def fits(self):
        """every event is in the index, and nothing is wider than the window"""
        count = self.run("document.querySelectorAll('section').length")
        assert count > 0 and count == self.run(f"{LINKS}.length") == self.run(f"{SHOWN}.length"), count
        wide = self.run("""[...document.querySelectorAll('main *')]
            .filter((part) => part.getBoundingClientRect().right > innerWidth + 1).map((part) => part.outerHTML.slice(0, 80))""")
        assert wide == [] and self.run("document.documentElement.scrollWidth <= innerWidth"), wide[:3]
        self.shot("top")

    def explains(self):
        """an event says when it fires and who owns it, and a key what it means and may be"""
        for label in ("When", "Answers", "Owner", "Introduced"):
            assert self.line_after(label), label
        assert self.line_after("payment_type")
        assert self.value_meaning("wallet")

    def sticks(self):
        """the index stays in sight, and leads to an event"""
        if self.is_phone:
            assert not self.run("document.querySelector('nav details').open")
            self.run("document.querySelector('nav summary').click()")
        self.run("document.querySelector('nav a[href=\"#TYPurchased\"]').click()")
        self.page.wait("Math.abs(document.getElementById('TYPurchased').getBoundingClientRect().top) < 140")
        place = self.run("""(() => { const nav = document.querySelector('nav').getBoundingClientRect();
            const event = document.querySelector('#TYPurchased h3').getBoundingClientRect();
            return [nav.top, nav.bottom, event.top]; })()""")
        assert -1 <= place[0] <= 1, place
        if self.is_phone:  # the index is closed, and above the event without covering it
            assert place[1] <= place[2], place
        self.shot("event")

    def searches(self):
        """the search finds events by key, value and meaning, and says how many"""
        self.run("scrollTo(0, 0); document.activeElement.blur()")
        self.page.press("/")
        assert self.run("document.activeElement === document.querySelector('nav input')")
        assert self.search("") == self.run("[...document.querySelectorAll('section')].map((section) => section.id)")
        assert self.search("coupon_code") == ["TYPurchased"], self.search("coupon_code")
        assert "1 of " in self.run("document.querySelector('nav output').textContent")
        self.shot("search")
        assert self.search(self.value_meaning("cash") + " CASH payment_type") == ["DLPaymentSelected"]
        assert self.run(f"{LINKS}.map((item) => item.innerText.trim())") == ["Payment selected"]
        assert self.run("[...document.querySelectorAll('main h2')].filter((title) => !title.hidden).length") == 2
        assert self.search("nosuchthing") == []
        assert self.run("document.querySelector('nav output').textContent") == "no event"
        self.shot("nothing")
        self.page.press("Escape", 27)
        assert self.run(f"{SHOWN}.length === document.querySelectorAll('section').length")

    def complains_not(self):
        """neither the console nor the policy has complained"""
        assert self.page.complaints() == [], self.page.complaints()

    def reads_without_script(self):
        """without its script the page is whole, and has no search"""
        self.page.call("Emulation.setScriptExecutionDisabled", value=True)
        self.page.call("Page.reload")
        time.sleep(1)
        self.page.call("Emulation.setScriptExecutionDisabled", value=False)
        assert self.run("document.getElementById('search').hidden && document.querySelector('nav details').open")
        assert self.run(f"{SHOWN}.length === document.querySelectorAll('section').length")


def main():
    parser = argparse.ArgumentParser()
    for name in ("page", "chromium"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    with open(options.page, encoding="utf-8") as file:
        html = file.read()
    for tag in ("style", "script"):
        html = html.replace(f"<{tag}>", f'<{tag} nonce="check">')
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, html))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = Browser(options.chromium)
    failed = 0
    try:
        sizes = [(1280, "light"), (390, "dark")] + ([(1280, "dark"), (390, "light")] if options.all else [])
        for width, scheme in sizes:
            print(f"{width} pixels, {scheme}", flush=True)
            check = Check(browser, f"http://127.0.0.1:{server.server_port}/", options, width, scheme)
            for step in (check.fits, check.explains, check.sticks, check.searches, check.complains_not,
                         check.reads_without_script):
                try:
                    step()
                    print(f"  {step.__doc__}", flush=True)
                except AssertionError as error:
                    failed += 1
                    print(f"  FAILED: {step.__doc__}: {error}", flush=True)
    finally:
        browser.close()
        server.shutdown()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
