"""A headless Chromium, driven through a pipe with the DevTools protocol, using only Python's standard library."""

import base64
import json
import os
import signal
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, path, *arguments):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        child_in, self.out = os.pipe()
        self.input, child_out = os.pipe()

        def place():  # Chromium reads at descriptor 3 and writes at 4
            read, write = os.dup(child_in), os.dup(child_out)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-gpu",
             "--disable-dev-shm-usage", f"--user-data-dir={self.folder.name}", *arguments, "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, process_group=0, env={**os.environ, "TMPDIR": self.folder.name})
        os.close(child_in)
        os.close(child_out)
        self.buffer, self.number, self.events = b"", 0, []

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.input, 1 << 20)
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
    def __init__(self, browser, url="about:blank", width=1280, height=800):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.size(width, height)
        if url != "about:blank":
            self.open(url)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True,
                           userGesture=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression, seconds=15):
        """Waits until an expression is true, and returns the elapsed time."""
        start = time.monotonic()
        while True:
            try:
                if self.run(expression):
                    return time.monotonic() - start
            except RuntimeError as error:
                if "context" not in str(error):
                    raise
            if time.monotonic() - start > seconds:
                raise AssertionError(f"did not come true in {seconds} s: {expression}")
            time.sleep(0.02)

    def press(self, key, code=0, modifiers=0):
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        base = {"key": key, "windowsVirtualKeyCode": code or (ord(key.upper()) if len(key) == 1 else 0),
                "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **base)
        self.call("Input.dispatchKeyEvent", type="keyUp", **base)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def shot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """Returns errors of the console and the page's policy, except for responses that a check provokes."""
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"]["text"])
            if event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
            if event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
                found.append(str(parameters["args"][0].get("value")))
        return found

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
