"""Checks the documentation site in a real browser: opens every page, follows every link, and searches."""

import argparse
import functools
import http.server
import json
import os
import re
import sys
import threading
import time

from chromium import Browser, Page


class Server(http.server.SimpleHTTPRequestHandler):
    """A server for the site, like any web server. Records requests for missing files."""

    missing = []

    def send_error(self, code, message=None, explain=None):
        Server.missing.append(self.path)
        super().send_error(code, message, explain)

    def log_message(self, *_):
        pass


def pages(site):
    """Returns the pages by path, with their title and whether they are an article."""
    found = {}
    root = os.path.join(site, "data")
    for folder, _, names in os.walk(root):
        for name in names:
            if not name.endswith(".json"):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                data = json.load(file)
            path = "/" + os.path.relpath(os.path.join(folder, name), root).removesuffix(".json")
            found[path.lower()] = (data["metadata"]["title"], data["metadata"].get("role") == "article")
    return found


class Check:
    def __init__(self, browser, url, site, options):
        self.url, self.known, self.options = url, pages(site), options
        self.site = site
        self.page = Page(browser, width=1280, height=900)
        self.links = {}
        self.problems = []

    def shot(self, name):
        if self.options.screenshots:
            os.makedirs(self.options.screenshots, exist_ok=True)
            time.sleep(0.3)
            self.page.shot(os.path.join(self.options.screenshots, f"{name}.png"))

    def open(self, path):
        """Opens a page as from an external link."""
        self.page.call("Page.navigate", url=self.url + path)
        self.expect(path)

    def go(self, path):
        """Opens a page as from a link within the site, which loads only the page's data."""
        self.page.run(f"document.querySelector('#app').__vue__.$router.push({json.dumps(path)}).then(() => 1, () => 1)")
        self.expect(path)

    def expect(self, path):
        title, is_article = self.known[path]
        shown = "document.querySelector('main h1, .title')?.textContent.replace(/\\s+/g, ' ').trim()"
        try:
            self.page.wait(f"location.pathname.toLowerCase().replace(/[/]$/, '') === {json.dumps(path)} && "
                           f"({shown})?.replace(/\\u200b/g, '') === {json.dumps(' '.join(title.split()))}", 10)
        except AssertionError:
            self.problems.append(f"{path}: shows '{self.page.run(shown)}' and not '{title}'")
            return
        # A page needs more than its title: a sentence, a declaration, or a list of its members.
        text = self.page.run("document.querySelector('main').innerText")
        if len(text.replace(title, "").split()) < (60 if is_article else 2):
            self.problems.append(f"{path}: is empty")
        for link in self.page.run("[...document.querySelectorAll('main a[href]')].map((link) => link.href)"):
            if link.startswith(self.url):
                target = re.sub(r"[?#].*", "", link[len(self.url):]).rstrip("/").lower()
                self.links.setdefault(target, path)

    def images(self):
        broken = self.page.run("[...document.images].filter((image) => !image.naturalWidth).map((image) => image.src)")
        self.problems += [f"{image}: is no picture" for image in broken]

    def dead_links(self):
        for target, place in sorted(self.links.items()):
            if target not in self.known and not os.path.exists(self.site + target):
                self.problems.append(f"{place}: links to {target}, which is not there")

    def search(self, word, path):
        """Types a word into the navigator's filter, and follows the result."""
        self.page.wait("document.querySelector('.navigator input') !== null", 10)
        self.page.run("document.querySelector('.navigator input').focus()")
        self.page.type(word)
        found = f"[...document.querySelectorAll('.navigator a')].find((link) => link.pathname.toLowerCase() === '{path}')"
        self.page.wait(f"({found}) !== undefined", 10)
        self.shot(f"search-{word}")
        self.page.run(f"({found}).click()")
        self.expect(path)


def main():
    parser = argparse.ArgumentParser()
    for name in ("site", "guide", "chromium"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=options.site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # Chromium limits the rate at which a page navigates, and this check opens thousands of pages.
    browser = Browser(options.chromium, "--disable-ipc-flooding-protection")
    start = time.monotonic()
    try:
        check = Check(browser, f"http://127.0.0.1:{server.server_port}", options.site, options)
        # Open the guide and its links from outside, in order, and the other pages through the site's navigation.
        with open(options.guide, encoding="utf-8") as file:
            order = ["/documentation/" + path.lower() for path in re.findall(r"<doc:/([^>]*)>", file.read())]
        check.open("/documentation")
        check.shot("0-modules")
        check.page.call("Page.navigate", url=check.url)  # leads to the guide
        check.expect("/documentation/guide")
        check.images()
        check.shot("0-guide")
        listed = check.page.run("[...document.querySelectorAll('main a[href]')].map((link) => link.pathname.toLowerCase())")
        shown = list(dict.fromkeys(path.rstrip("/") for path in listed if path.rstrip("/") in order))
        if shown != order:
            check.problems.append(f"the guide shows {shown} and not {order}")
        for number, path in enumerate(order, 1):
            check.open(path)
            check.shot(f"{number}-{path.split('/')[-1]}")
        forgotten = [path for path, (_, is_article) in check.known.items() if is_article and path not in order
                     and path != "/documentation/guide"]
        check.problems += [f"{path}: is not in the guide" for path in forgotten]
        for path in sorted(set(check.known) - set(order)):
            check.go(path)
        check.dead_links()
        check.open("/documentation/eventdelivery")
        check.search("flush", "/documentation/eventdelivery/deliveryengine/flush(deadline:)")
        check.problems += check.page.complaints() + [f"{path}: is not there" for path in Server.missing]
    finally:
        browser.close()
        server.shutdown()
    for problem in check.problems:
        print(f"docs: {problem}")
    print(f"docs: {len(check.known)} pages opened, {len(check.links)} links followed, "
          f"{len(check.problems)} problems ({time.monotonic() - start:.0f} s)")
    sys.exit(1 if check.problems else 0)


if __name__ == "__main__":
    main()
