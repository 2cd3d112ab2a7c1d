"""Checks the tracking plan's page in a real browser, with the content security policy of the inspector."""

import functools
import time

from chromium import Checks, check, parse
from server import Server

SHOWN = "[...document.querySelectorAll('section')].filter((section) => section.offsetHeight > 0)"
LINKS = "[...document.querySelectorAll('nav li')].filter((item) => !item.hidden)"


class Plan(Checks):
    def __init__(self, url, options, width, scheme):
        super().__init__(options, width, scheme)
        self.page.open(url)

    def search(self, text):
        self.run("document.querySelector('nav input').focus()")
        self.page.press("Escape", 27)
        self.page.type(text)
        return self.run(f"{SHOWN}.map((section) => section.id)")

    def lines(self):
        """Returns the lines of an event, as a reader sees them."""
        text = self.run("document.getElementById('DL.DLPaymentSelected').innerText")
        return [line.strip() for line in text.split("\n")]

    def line_after(self, label):
        lines = self.lines()
        return lines[lines.index(label) + 1] if label in lines[:-1] else ""

    def value_meaning(self, value):
        """Returns the meaning of an allowed value, which follows it."""
        return next((line[len(value) + 1:] for line in self.lines() if line.startswith(value + " ")), "")

    def fits(self):
        """every event is in the index, and nothing is wider than the window"""
        count = self.run("document.querySelectorAll('section').length")
        assert count > 0 and count == self.run(f"{LINKS}.length") == self.run(f"{SHOWN}.length"), count
        wide = self.run("""[...document.querySelectorAll('main *')].filter((part) =>
            part.getBoundingClientRect().right > innerWidth + 1).map((part) => part.outerHTML.slice(0, 80))""")
        assert wide == [] and self.run("document.documentElement.scrollWidth <= innerWidth"), wide[:3]
        self.shot("plan-top")

    def explains(self):
        """an event states when it is tracked and who owns it, and a key its meaning and values"""
        for label in ("When", "Answers", "Owner", "Introduced", "payment_type"):
            assert self.line_after(label), label
        assert self.value_meaning("wallet")

    def sticks(self):
        """the index stays visible, and leads to an event"""
        if self.width < 800:
            assert not self.run("document.querySelector('nav details').open")
            self.page.click("document.querySelector('nav summary')")
        self.page.click("document.querySelector('nav a[href=\"#TY.TYPurchased\"]')")
        self.wait("Math.abs(document.getElementById('TY.TYPurchased').getBoundingClientRect().top) < 140")
        top, bottom, event = self.run("""(() => { const nav = document.querySelector('nav').getBoundingClientRect();
            const event = document.getElementById('TY.TYPurchased').querySelector('h4').getBoundingClientRect();
            return [nav.top, nav.bottom, event.top]; })()""")
        assert -1 <= top <= 1 and (self.width > 800 or bottom <= event), (top, bottom, event)
        self.wait("document.querySelector('nav [aria-current]').hash === '#TY.TYPurchased'")
        self.shot("plan-event")

    def filters(self):
        """a number of the overview leads to the events of its product at its service"""
        self.run("scrollTo(0, 0)")
        cell = "document.querySelector('#overview [data-product=SF][data-service=firebase]')"
        count = self.run(f"{cell}.textContent")
        self.page.click(cell)
        shown = self.run(f"{SHOWN}.map((section) => section.id)")
        assert str(len(shown)) == count and all(name.startswith("SF.") for name in shown), (count, shown)
        assert self.run("document.querySelector('nav output').textContent").startswith(f"{count} of ")
        parts = self.run(f"{SHOWN}.flatMap((section) => [...section.querySelectorAll('h5')])"
                         ".filter((part) => part.offsetHeight > 0).map((part) => part.innerText.split(' ')[0])")
        assert set(parts) == {"firebase"}, parts
        self.shot("plan-filter")
        self.run("for (const id of ['product', 'service']) document.getElementById(id).value = ''; show()")

    def searches(self):
        """the search finds events by key, value and meaning, and shows their number"""
        self.run("scrollTo(0, 0); document.activeElement.blur()")
        self.page.press("/")
        assert self.run("document.activeElement === document.querySelector('nav input')")
        assert self.search("") == self.run("[...document.querySelectorAll('section')].map((section) => section.id)")
        assert self.search("coupon_code") == ["TY.TYPurchased"], self.search("coupon_code")
        assert "1 of " in self.run("document.querySelector('nav output').textContent")
        assert set(self.run("[...CSS.highlights.get('found')].map(String)")) == {"coupon_code"}
        self.shot("plan-search")
        assert self.search(self.value_meaning("cash") + " CASH payment_type") == ["DL.DLPaymentSelected"]
        assert self.run(f"{LINKS}.map((item) => item.innerText.trim())") == ["Payment selected"]
        assert self.run("[...document.querySelectorAll('main h2')].filter((title) => title.offsetHeight > 0).length") == 2
        assert self.search("nosuchthing") == []
        assert self.run("document.querySelector('nav output').textContent") == "no event"
        self.page.press("Escape", 27)
        assert self.run(f"{SHOWN}.length === document.querySelectorAll('section').length")

    def complains_not(self):
        """the console has no error, and nothing violates the policy"""
        assert self.page.complaints() == [], self.page.complaints()

    def reads_without_script(self):
        """without its script the page is complete, and has no search"""
        self.page.call("Emulation.setScriptExecutionDisabled", value=True)
        self.page.call("Page.reload")
        time.sleep(1)
        self.page.call("Emulation.setScriptExecutionDisabled", value=False)
        assert self.run("document.getElementById('search').hidden && document.querySelector('nav details').open")
        assert self.run(f"{SHOWN}.length === document.querySelectorAll('section').length")


options = parse("page")
with open(options.page, encoding="utf-8") as file:
    html = file.read().replace("<style>", '<style nonce="c">').replace("<script>", '<script nonce="c">')
# The policy allows only the page's own style and script.
headers = [("Content-Type", "text/html; charset=utf-8"),
           ("Content-Security-Policy", "default-src 'none'; style-src 'nonce-c'; script-src 'nonce-c'")]
server = Server(lambda _: (200, html, *headers))
check(options, (functools.partial(Plan, server.url),
                ("fits", "explains", "sticks", "filters", "searches", "complains_not", "reads_without_script")))
