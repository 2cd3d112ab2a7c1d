"""Checks the page of Scripts/report in a real browser, as a file and without network."""

import os

from chromium import Checks, check, parse

MARKS = {"bars": ".bars i", "line": ".plot .line", "grid": ".grid td", "numbers": ".figures dd",
         "table": ":scope > .scroll table:not(.grid) td"}


class Report(Checks):
    def __init__(self, options, width, scheme):
        super().__init__(options, width, scheme)
        self.page.call("Network.enable")
        self.page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                       uploadThroughput=0)
        self.page.open("file://" + os.path.abspath(options.page))

    def shot(self, name):
        self.page.size(self.width, self.run("document.documentElement.scrollHeight"))
        super().shot(f"report-{name}")

    def parts(self, selector, condition):
        """Returns the start of each element that meets a condition."""
        return self.run(f"[...document.querySelectorAll('{selector}')].filter((part) => {condition})"
                        ".map((part) => part.outerHTML.slice(0, 80))")

    def draws(self):
        """each query has a heading, a link, and a chart or table with data, or no rows"""
        names = self.run("[...document.querySelectorAll('section')].map((section) => section.id)")
        assert names == self.options.queries.split(","), names
        assert self.run("[...document.querySelectorAll('nav a')].map((link) => link.hash.slice(1))") == names
        seen = set()
        for name in names:
            sizes = {kind: self.run(f"""[...document.querySelector('#{name}').querySelectorAll('{selector}')]
                .filter((mark) => mark.getBoundingClientRect().width > 0).length""") for kind, selector in MARKS.items()}
            kinds = [kind for kind, size in sizes.items() if size > 1]
            is_empty = self.run(f"document.querySelector('#{name} b')?.innerText") == "None."
            assert len(kinds) == (not is_empty), (name, sizes)
            assert self.run(f"document.querySelector('#{name} h2, #{name} p').innerText") != "", name
            seen.update(kinds)
        assert seen == set(MARKS), seen
        self.shot("closed")

    def leads(self):
        """a click on a link leads to its query, and a click on the values opens them"""
        for name in self.options.queries.split(","):
            self.page.click(f"document.querySelector('nav a[href=\"#{name}\"]')")
            self.wait(f"location.hash === '#{name}' && document.getElementById('{name}').getBoundingClientRect().top"
                      " < innerHeight - 60", 5)
            self.page.click(f"document.querySelector('#{name} summary')")
            assert self.run(f"document.querySelector('#{name} details').open"), name
        self.run("document.querySelectorAll('details').forEach((part) => { part.open = false; })")

    def fits(self):
        """nothing is wider than the window, except for tables that scroll"""
        self.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        wide = self.parts("body *", "!part.closest('.scroll *') && "
                          "part.getBoundingClientRect().right > document.documentElement.clientWidth + 1")
        assert wide == [] and self.run("document.documentElement.scrollWidth <= innerWidth"), wide[:3]

    def reads(self):
        """no text is small, faint, cut or crowded, and a table scrolls to its last column"""
        small = self.parts("body *", "part.innerText && parseFloat(getComputedStyle(part).fontSize) < 12")
        cut = self.parts("td, th, dt, .bars div, .plot span",
                         "part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0")
        crowded = self.parts(".along span + span", "part.getBoundingClientRect().left < "
                             "part.previousSibling.getBoundingClientRect().right + 4")
        lost = self.parts(".scroll", "(part.scrollLeft = 1e6, part.querySelector('tr:last-child').lastElementChild"
                          ".getBoundingClientRect().right > part.getBoundingClientRect().right + 1)")
        assert [] == small == cut == crowded == lost, (small[:3], cut[:3], crowded[:3], lost[:3])
        self.run("document.querySelectorAll('.scroll').forEach((box) => { box.scrollLeft = 0; })")
        self.looks("open")

    def complains_not(self):
        """the page requests nothing, and the console has no error"""
        requested = self.run("performance.getEntriesByType('resource').map((entry) => entry.name)")
        assert requested == [] and self.page.complaints() == [], (requested, self.page.complaints())


check(parse("page", "queries"), (Report, ("leads", "draws", "fits", "reads", "complains_not")))
