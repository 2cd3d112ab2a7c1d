"""A headless Chromium, driven through a pipe with the DevTools protocol, and the frame of checks of a page in it."""

import argparse
import base64
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

# Texts whose contrast with their background is less than 4.5, by the formula of WCAG 2.
FAINT_TEXTS = """(() => {
  const pixel = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
    .getContext('2d', {willReadFrequently: true});
  const luminance = (colors) => {
    for (const color of colors) { pixel.fillStyle = color; pixel.fillRect(0, 0, 1, 1); }
    return [...pixel.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value / 255)
      .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
      .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0.05);
  };
  const found = new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
    if (!text || !element.checkVisibility() || element.closest(':disabled')) continue;
    const behind = [];
    for (let at = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
    const both = [luminance(['white', ...behind]), luminance(['white', ...behind, getComputedStyle(element).color])];
    const ratio = Math.max(...both) / Math.min(...both);
    if (ratio < 4.5) found.add(`${text.slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return [...found].slice(0, 8);
})()"""
CONTROLS = {"button", "checkbox", "combobox", "grid", "link", "searchbox", "spinbutton", "tab", "tablist", "tabpanel",
            "textbox", "DisclosureTriangle", "dialog", "list"}


class Browser:
    def __init__(self, path, *arguments):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Chromium reads at descriptor 3 and writes at 4.
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null', path, "--headless=new",
             "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-gpu", "--disable-dev-shm-usage",
             f"--user-data-dir={self.folder.name}", *arguments, "about:blank"],
            bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, process_group=0,
            env={**os.environ, "TMPDIR": self.folder.name})
        self.buffer, self.number, self.events = b"", 0, []

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.process.stdin.write(json.dumps(message).encode() + b"\0")
        while (response := self.receive()).get("id") != self.number:
            self.events.append(response)
        if "error" in response:
            raise RuntimeError(f"{method}: {response['error']['message']}")
        return response["result"]

    def receive(self):
        while b"\0" not in self.buffer:
            part = self.process.stdout.read(1 << 20)
            if not part:
                raise RuntimeError("Chromium has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)  # its children also write to the folder
        self.process.wait()
        self.folder.cleanup()


class Page:
    def __init__(self, browser, width=1280, height=844):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True,
                           userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression, seconds=15):
        """Waits until an expression is true."""
        start = time.monotonic()
        while True:
            try:
                if self.run(expression):
                    return
            except RuntimeError as error:
                if "context" not in str(error):
                    raise
            assert time.monotonic() - start < seconds, f"did not become true in {seconds} s: {expression}"
            time.sleep(0.02)

    def press(self, key, code=0):
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        base = {"key": key, "windowsVirtualKeyCode": code or (ord(key.upper()) if len(key) == 1 else 0)}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **base)
        self.call("Input.dispatchKeyEvent", type="keyUp", **base)

    def place(self, element):
        """Returns the middle of an element, which must be visible."""
        return self.run(f"""(() => {{
            const element = {element};
            element.scrollIntoView({{ block: "nearest" }});
            const box = element.getClientRects()[0], x = box.x + box.width / 2, y = box.y + box.height / 2;
            if (!element.contains(document.elementFromPoint(x, y))) throw Error("covered: " + element.outerHTML);
            return [x, y];
        }})()""")

    def mouse(self, kind, x, y, button="left"):
        buttons = {"left": 1, "right": 2, "middle": 4}[button] if kind != "Released" else 0
        self.call("Input.dispatchMouseEvent", type=f"mouse{kind}", x=x, y=y, button=button, buttons=buttons,
                  clickCount=1)

    def click(self, element, seconds=0.1, button="left"):
        """Presses the mouse on an element for as long as a hand does."""
        x, y = self.place(element)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.mouse("Pressed", x, y, button)
        time.sleep(seconds)
        self.mouse("Released", x, y, button)

    def drag(self, element, distance):
        """Presses the mouse at the left of an element, moves it to the right, and releases it."""
        x, y = self.run(f"(({{ x, y, height }}) => [x, y + height / 2])({element}.getClientRects()[0])")
        self.mouse("Pressed", x, y)
        for part in range(1, 6):
            self.mouse("Moved", x + distance * part / 5, y)
        self.mouse("Released", x + distance, y)

    def touch(self, element, distance=0):
        """Touches an element, and moves the finger up by a distance."""
        x, y = self.place(element)
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for part in range(1, 11):
            time.sleep(0.01)
            if distance:
                self.call("Input.dispatchTouchEvent", type="touchMove",
                          touchPoints=[{"x": x, "y": y - distance * part / 10}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def type(self, text):
        self.call("Input.insertText", text=text)

    def shot(self, folder, name, clip=None):
        """Keeps a screenshot, of the whole page or of a rectangle, if there is a folder for it."""
        if not folder:
            return
        os.makedirs(folder, exist_ok=True)
        time.sleep(0.3)
        options = {"clip": {**clip, "scale": 1}} if clip else {}
        with open(f"{folder}/{name}.png", "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", **options)["data"]))

    def complaints(self):
        """Returns the errors and warnings of the console and of the page's policy."""
        found = []
        for event in self.browser.events:
            parameters = event["params"] if event.get("sessionId") == self.session else {}
            if event["method"] == "Runtime.exceptionThrown" and parameters:
                found.append(parameters["exceptionDetails"]["text"])
            if event["method"] == "Log.entryAdded" and parameters and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            if event["method"] == "Runtime.consoleAPICalled" and parameters.get("type") in ("error", "warning"):
                found.append(str(parameters["args"][0].get("value")))
        return found

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)


class Checks:
    """Checks of a page at one size. Each check is a method, with its sentence as the documentation."""

    def __init__(self, options, width, scheme, *arguments):
        self.options, self.width, self.name, self.note = options, width, f"{scheme}-{width}", ""
        self.browser = Browser(options.chromium, *arguments)
        self.page = Page(self.browser, width)
        self.page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.run, self.wait = self.page.run, self.page.wait

    def shot(self, name, clip=None):
        self.page.shot(self.options.screenshots, f"{name}-{self.name}", clip)

    def looks(self, name):
        """Checks that each text has enough contrast, and each control a name."""
        faint = self.run(FAINT_TEXTS)
        assert not faint, f"too little contrast: {faint}"
        nodes = self.page.call("Accessibility.getFullAXTree")["nodes"]
        nameless = [node["role"]["value"] for node in nodes if not node.get("ignored")
                    and node["role"]["value"] in CONTROLS and not node.get("name", {}).get("value")]
        assert not nameless, f"without a name: {nameless}"
        self.shot(name)

    def close(self):
        self.browser.close()


def parse(*names):
    """Parses the command line of a script: its own options, which are required, and those of all scripts."""
    parser = argparse.ArgumentParser()
    for name in (*names, "chromium"):
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--screenshots")
    return parser.parse_args()


def check(options, *suites):
    """Runs checks at each size, and ends the process. A suite is a function that sets up `Checks`, and their methods."""
    failed = 0
    known = {name for _, methods in suites for name in methods}
    names = set(options.only.split(",")) if options.only else known
    if unknown := names - known:
        sys.exit(f"browser: there is no check {', '.join(sorted(unknown))}")
    sizes = [(1280, "light"), (390, "dark")] + ([(1280, "dark"), (390, "light")] if options.all else [])
    for width, scheme in sizes:
        print(f"{width} pixels, {scheme}", flush=True)
        for set_up, methods in suites:
            checks = set_up(options, width, scheme)
            try:
                for method in methods:
                    if method not in names:
                        continue
                    start = time.monotonic()
                    try:
                        getattr(checks, method)()
                        result = "passed" + checks.note
                    except Exception as error:  # a check that breaks is a failure, and the others still run
                        result, failed = f"FAILED: {error}", failed + 1
                    checks.note = ""
                    print(f"  {getattr(checks, method).__doc__}: {result} ({time.monotonic() - start:.1f} s)", flush=True)
            finally:
                checks.close()
    sys.exit(1 if failed else 0)
