"""Follows the quick start of the README in an empty folder: quick_start.py FOLDER SCRATCH. Scripts/checks/packages runs it.

Copies the files of the README as they stand there, and replaces only the addresses: that of the receiver by a server
here, and that of this package by this checkout. Builds them, runs the test, and runs the program until its event has
arrived. Then does the same with the program of the first block.
"""

import gzip
import http.server
import os
import re
import subprocess
import sys
import threading

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


def files(text):
    """Returns the first program, and the files by their path, which precedes each block."""
    section = text[text.index("## Quick start\n"):text.index("### Which library")]
    blocks = re.findall(r"^(?:`(\S+)`[^\n]*:\n\n)?```swift\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return next(code for path, code in blocks if not path), {path: code for path, code in blocks if path}


def main(folder, scratch):
    root, receiver = os.getcwd(), Receiver()
    with open("README.md", encoding="utf-8") as file:
        first, rest = files(file.read())
    count = sum(code.count("\n") for path, code in rest.items() if path != "Package.swift")
    assert len(rest) == 4 and count <= LIMIT, f"{len(rest)} files with {count} lines besides the manifest"
    address = f"http://127.0.0.1:{receiver.server_address[1]}"

    def write(path, code):
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        with open(f"{folder}/{path}", "w", encoding="utf-8") as file:
            file.write(code.replace(RECEIVER, address))

    def swift(*words):
        description = f"{scratch}/debug/description.json"  # the one of the previous package in this build folder
        if os.path.exists(description):
            os.remove(description)
        command = ["swift", words[0], "--package-path", folder, "--scratch-path", scratch, *words[1:]]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)

    def run(*names):
        receiver.lines.clear()
        data = {"HOME": folder, "XDG_DATA_HOME": f"{folder}/data", "EVENT_DELIVERY_LOG": "warnings"}
        log = subprocess.run([f"{scratch}/debug/Acme"], check=True, capture_output=True, text=True,
                             env={**os.environ, **data}).stderr
        assert not log, log
        found = [line for line in receiver.lines if any(f'"{name}"' in line for name in names)]
        assert len(found) == len(receiver.lines) == 1, f"the receiver has {receiver.lines}"

    for path, code in rest.items():
        assert PACKAGE in code or path != "Package.swift"
        write(path, code.replace(PACKAGE, f'.package(name: "ModularEventTracker", path: "{root}")'))
    swift("build", "--build-tests")
    swift("test", "--skip-build")
    run("product_viewed")
    write("Sources/Acme/main.swift", first)
    swift("build", "--product", "Acme")
    run("opened")


main(*sys.argv[1:])
