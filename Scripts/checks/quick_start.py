"""Follows two pages in empty folders: quick_start.py FOLDER SCRATCH. Scripts/checks/packages runs it.

Copies the files of the README's quick start and those of the page on typed events as they stand there, and replaces
only the addresses: that of the receiver by a server here, and that of this package by this checkout. Builds them, runs
the test, and runs each program until its event has arrived.
"""

import gzip
import http.server
import os
import re
import subprocess
import sys
import threading

PAGES = {"README.md": ("## Quick start\n", "## Two commands\n"), "Modules/Guide.docc/TypedEventsAndATest.md": ("## The files\n", "## Next\n")}
RECEIVER, PACKAGE = "https://collector.example", '.package(path: "../ModularEventTracker")'
LIMIT = 60  # lines of the files besides the manifest


class Receiver(http.server.ThreadingHTTPServer):
    """A server that accepts every request and keeps its lines."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lines = []
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.lines += body.decode().splitlines()
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format, *arguments):
        pass


def files(page):
    """Returns the files of a page by their path, which stands in the paragraph before each block."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    begin, end = PAGES[page]
    section = text[text.index(begin):text.index(end)]
    return dict(re.findall(r"^`(\S+)`[^\n]*:\n\n```swift\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))


def main(folder, scratch):
    root, receiver = os.getcwd(), Receiver()
    first, typed = (files(page) for page in PAGES)
    count = sum(code.count("\n") for path, code in typed.items() if path != "Package.swift")
    assert len(first) == 2 and len(typed) == 4 and count <= LIMIT, f"{[*first, *typed]}, {count} lines"
    package = folder
    address = f"http://127.0.0.1:{receiver.server_address[1]}"

    def write(name, files):
        """Writes the files of a page to a folder below FOLDER, which is then the package in use."""
        nonlocal package
        package = f"{folder}/{name}"
        for path, code in files.items():
            assert PACKAGE in code or path != "Package.swift"
            os.makedirs(os.path.dirname(f"{package}/{path}"), exist_ok=True)
            with open(f"{package}/{path}", "w", encoding="utf-8") as file:
                here = f'.package(name: "ModularEventTracker", path: "{root}")'
                file.write(code.replace(RECEIVER, address).replace(PACKAGE, here))

    def swift(*words):
        description = f"{scratch}/debug/description.json"  # the one of the previous package in this build folder
        if os.path.exists(description):
            os.remove(description)
        command = ["swift", words[0], "--package-path", package, "--scratch-path", scratch, *words[1:]]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)

    def run(*names):
        receiver.lines.clear()
        data = {"HOME": package, "XDG_DATA_HOME": f"{package}/data", "EVENT_DELIVERY_LOG": "warnings"}
        log = subprocess.run([f"{scratch}/debug/Acme"], check=True, capture_output=True, text=True,
                             env={**os.environ, **data}).stderr
        assert not log, log
        found = [line for line in receiver.lines if any(f'"{name}"' in line for name in names)]
        assert len(found) == len(receiver.lines) == 1, f"the receiver has {receiver.lines}"

    write("typed", typed)
    swift("build", "--build-tests")
    swift("test", "--skip-build")
    run("product_viewed")
    write("first", first)
    swift("build", "--product", "Acme")
    run("opened")


main(*sys.argv[1:])
