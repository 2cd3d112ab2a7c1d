"""Follows a page in a clone: runs its commands, makes its edits, and checks in Chromium the results that it names."""

import argparse
import os
import re
import signal
import subprocess
import sys
import threading
import time

from chromium import Browser, Page


def blocks(page):
    """Returns the page's blocks of commands and edits, each with the Swift file named last before it."""
    found, file, language, lines = [], None, None, []
    for line in page.split("\n"):
        if line.startswith("```"):
            if language:
                found.append((language, file, lines))
            language, lines = (None if language else line[3:]), []
        elif language:
            lines.append(line)
        elif named := re.findall(r"`((?:Modules|Tests)/[^`]*\.swift)`", line):
            file = named[-1]
    return found


def edit(path, lines, back=False):
    """Makes the edit of a block, which contains diff hunks separated by lines of `@@`."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for hunk in "\n".join(lines).split("\n@@\n"):
        old, new = ("".join(line[1:] + "\n" for line in hunk.split("\n") if line[:1] in (" ", sign)) for sign in "-+")
        old, new = (new, old) if back else (old, new)
        assert text.count(old) == 1, f"{path} has {text.count(old)} places for:\n{old}"
        text = text.replace(old, new)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


class Walk:
    def __init__(self, options, browser):
        self.clone, self.browser, self.options = options.clone, browser, options
        self.start, self.demo, self.page = time.monotonic(), None, None

    def report(self, text):
        seconds = int(time.monotonic() - self.start)
        print(f"  {seconds // 60}:{seconds % 60:02} {text}", flush=True)

    def command(self, line, status=0):
        """Runs a command to its end, and returns its output."""
        left = self.options.minutes * 60 - (time.monotonic() - self.start)
        try:
            result = subprocess.run(["bash", "-c", line], cwd=self.clone, stdin=subprocess.DEVNULL, text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=max(left, 1))
        except subprocess.TimeoutExpired as error:
            raise AssertionError(f"{line} is not done after {self.options.minutes:g} minutes") from error
        assert result.returncode == status, f"{line} ends with {result.returncode}:\n{result.stdout[-3000:]}"
        self.report(line)
        return result.stdout

    def inspect(self, line):
        """Starts the demo and opens its link."""
        self.demo = subprocess.Popen(["bash", "-c", f"exec {line}"], cwd=self.clone, stdin=subprocess.PIPE, text=True,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        output = ""
        for text in self.demo.stderr:
            output += text
            if link := re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", text):
                break
        else:
            raise AssertionError(f"{line} has printed no link:\n{output[-3000:]}")
        threading.Thread(target=self.demo.stderr.read, daemon=True).start()
        self.page = Page(self.browser)
        self.page.open(link[0])
        self.page.wait("typeof rows === 'object' && rows.size > 0 && $('state').textContent === 'live'", 30)
        self.report(line)

    def stop(self):
        """Ends the demo as Ctrl-C does."""
        if self.demo:
            self.page.close()
            self.demo.send_signal(signal.SIGINT)
            assert self.demo.wait(30) == 130, f"the demo has ended with {self.demo.returncode}"
            self.demo = None

    def see(self):
        """Checks the new event: two rows, both delivered, the new field, and the test to copy."""
        rows = "[...rows.values()].filter((row) => row.e === 'Wishlist opened' && row.p === 'DL')"
        self.page.wait(f"{rows}.length === 2 && {rows}.every((row) => row.s.every((s) => s[1] === 'delivered'))", 30)
        assert self.page.run("rows.size") == 2
        self.page.click(f"$('row-' + {rows}[0].n)")
        self.page.wait("detail !== null")
        self.page.click("[...$('tabs').children].find((tab) => tab.textContent.startsWith('Param'))")
        shown = self.page.run("$('panel').innerText")
        for pattern in (r"is_shared\s+true\s+own", r"channel\s+dolap_lite\s+default", r"screen\s+wishlist\s+default"):
            assert re.search(pattern, shown), shown
        assert "Findings (0)" in self.page.run("$('tabs').innerText"), self.page.run("$('tabs').innerText")
        test = self.page.run("copies.test()")
        assert '"is_shared": true' in test and test.startswith("event.expectServices {"), test
        assert not self.page.complaints(), self.page.complaints()
        self.page.shot(self.options.screenshots, "first-event")
        self.report("the inspector shows the event, with its field, its origin and its test")

    def run(self, page):
        last = None
        for language, file, lines in blocks(page):
            self.stop()
            if language == "diff":
                last = (os.path.join(self.clone, file), lines)
                edit(*last)
                continue
            for line in lines if language == "sh" else []:
                if "--diff" in line:  # just before, the page breaks a rule and tells the reader to undo that
                    output = self.command("Scripts/tracking-plan --check", status=1)
                    assert "DLWishlistOpened: firebase: name_reserved" in output, output
                    edit(*last, back=True)
                if "--inspect" not in line:
                    self.command(line)
                    continue
                self.inspect(line)
                if "--examples" in line:
                    self.see()
        minutes = (time.monotonic() - self.start) / 60
        assert minutes < self.options.minutes, f"it took {minutes:.1f} minutes"
        status = self.command("git status --short")
        assert status == "", f"the commands at the end have left:\n{status}"


parser = argparse.ArgumentParser()
for name in ("clone", "page", "chromium"):
    parser.add_argument("--" + name, required=True)
parser.add_argument("--minutes", type=float, default=15)
parser.add_argument("--screenshots")
options = parser.parse_args()
walk = Walk(options, Browser(options.chromium))
try:
    with open(os.path.join(options.clone, options.page), encoding="utf-8") as file:
        walk.run(file.read())
    print("first event: done as the page says")
except AssertionError as error:
    sys.exit(f"first event: FAILED: {error}")
finally:
    if walk.demo:
        walk.demo.kill()
    walk.browser.close()
