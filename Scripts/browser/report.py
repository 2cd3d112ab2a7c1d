"""Checks the page of Scripts/report in a real browser, as a file and without network."""

import argparse
import os
import sys

from chromium import Browser, Page

# Text whose contrast with its background is less than 4.5, as accessibility guidelines require.
FAINT = """(() => {
    const context = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
        .getContext('2d', {willReadFrequently: true});
    const luminance = (colors) => {
        for (const color of colors) { context.fillStyle = color; context.fillRect(0, 0, 1, 1); }
        const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) => value / 255)
            .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    return [...document.body.querySelectorAll('*')].filter((part) => part.offsetHeight > 0 &&
        [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim())).filter((part) => {
            const behind = [];
            for (let place = part; place; place = place.parentElement)
                behind.unshift(getComputedStyle(place).backgroundColor);
            const both = [luminance(behind), luminance([...behind, getComputedStyle(part).color])];
            return (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05) < 4.5;
        }).map((part) => part.outerHTML.slice(0, 80));
})()"""


class Check:
    def __init__(self, browser, options, width, scheme):
        self.options, self.name, self.width = options, f"{width}-{scheme}", width
        self.page = Page(browser, width=width, height=844)
        self.page.scheme(scheme)
        self.page.call("Network.enable")
        self.page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0,
                       uploadThroughput=0)
        self.page.open("file://" + os.path.abspath(options.page))
        self.run = self.page.run

    def shot(self, name):
        if self.options.screenshots:
            os.makedirs(self.options.screenshots, exist_ok=True)
            self.page.size(self.width, self.run("document.documentElement.scrollHeight"))
            self.page.shot(os.path.join(self.options.screenshots, f"report-{self.name}-{name}.png"))

    def draws(self):
        """each query has a heading, a link, and a chart or table with data"""
        names = self.run("[...document.querySelectorAll('section')].map((section) => section.id)")
        assert names == self.options.queries.split(","), names
        assert self.run("[...document.querySelectorAll('nav a')].map((link) => link.hash.slice(1))") == names
        marks = {"bars": ".bars i", "line": ".plot .line", "grid": ".grid td",
                 "table": ":scope > .scroll table:not(.grid) td"}
        seen = set()
        for name in names:
            sizes = {kind: self.run(f"""[...document.querySelector('#{name}').querySelectorAll('{selector}')]
                .map((mark) => mark.getBoundingClientRect()).filter((box) => box.width > 0).length""")
                for kind, selector in marks.items()}
            kinds = [kind for kind, size in sizes.items() if size > 1]
            assert len(kinds) == 1, (name, sizes)
            assert self.run(f"document.querySelector('#{name} h2, #{name} p').innerText") != "", name
            seen.update(kinds)
        assert seen == set(marks), seen
        self.shot("closed")

    def fits(self):
        """nothing is wider than the window, except for tables that scroll"""
        self.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        wide = self.run("""[...document.body.querySelectorAll('*')].filter((part) => !part.closest('.scroll *') &&
            part.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .map((part) => part.outerHTML.slice(0, 80))""")
        assert wide == [] and self.run("document.documentElement.scrollWidth <= innerWidth"), wide[:3]

    def reads(self):
        """no text is small, faint, cut or crowded, and a table scrolls to its last column"""
        small = self.run("""[...document.querySelectorAll('body *')].filter((part) => part.innerText &&
            parseFloat(getComputedStyle(part).fontSize) < 12).map((part) => part.outerHTML.slice(0, 80))""")
        assert small == [], small[:3]
        faint = self.run(FAINT)
        assert faint == [], faint[:3]
        cut = self.run("""[...document.querySelectorAll('td, th, dt, .bars div, .plot span')].filter((part) =>
            part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
            .map((part) => part.outerHTML.slice(0, 80))""")
        assert cut == [], cut[:3]
        crowded = self.run("""[...document.querySelectorAll('.along span + span')].filter((label) =>
            label.getBoundingClientRect().left < label.previousSibling.getBoundingClientRect().right + 4)
            .map((label) => label.outerHTML)""")
        assert crowded == [], crowded
        lost = self.run("""[...document.querySelectorAll('.scroll')].filter((box) => { box.scrollLeft = 1e6;
            const last = box.querySelector('tr:last-child').lastElementChild.getBoundingClientRect();
            const outside = last.right > box.getBoundingClientRect().right + 1; box.scrollLeft = 0; return outside; })
            .map((box) => box.outerHTML.slice(0, 80))""")
        assert lost == [], lost[:3]
        self.shot("open")

    def complains_not(self):
        """the page requests nothing, and the console has no error"""
        requested = self.run("performance.getEntriesByType('resource').map((entry) => entry.name)")
        assert requested == [], requested
        assert self.page.complaints() == [], self.page.complaints()


def main():
    parser = argparse.ArgumentParser()
    for name in ("page", "queries", "chromium"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    browser = Browser(options.chromium)
    failed = 0
    try:
        sizes = [(1280, "light"), (390, "dark")] + ([(1280, "dark"), (390, "light")] if options.all else [])
        for width, scheme in sizes:
            print(f"{width} pixels, {scheme}", flush=True)
            check = Check(browser, options, width, scheme)
            for step in (check.draws, check.fits, check.reads, check.complains_not):
                try:
                    step()
                    print(f"  {step.__doc__}", flush=True)
                except AssertionError as error:
                    failed += 1
                    print(f"  FAILED: {step.__doc__}: {error}", flush=True)
    finally:
        browser.close()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
