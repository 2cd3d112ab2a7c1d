"""Follows two pages in empty folders: quick_start.py FOLDER SCRATCH. Scripts/checks/packages runs it.

Copies the files of the README's quick start and those of the page on typed events as they stand there, and replaces
only the addresses: that of the receiver by a server here, and that of this package by this checkout. Builds them, runs
the test, and runs each program until its event has arrived.
"""

import os
import re
import subprocess
import sys

from server import Server

PAGES = {"README.md": ("## Quick start\n", "## Two commands\n"), "Modules/Guide.docc/TypedEventsAndATest.md": ("## The files\n", "## Next\n")}
RECEIVER = "https://collector.example"
PACKAGE = '.package(name: "ModularEventTracker", path: "../ModularEventTracker")'
LIMIT = 60  # lines of the files besides the manifest


def files(page):
    """Returns the files of a page by their path, which stands in the paragraph before each block."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    begin, end = PAGES[page]
    section = text[text.index(begin):text.index(end)]
    return dict(re.findall(r"^`(\S+)`[^\n]*:\n\n```swift\n(.*?)^```$", section, re.MULTILINE | re.DOTALL))


def main(folder, scratch):
    root, arrived = os.getcwd(), []

    def receive(request):
        arrived.extend(request.body.decode().splitlines())
        return 200, ""

    address = Server(receive).url
    first, typed = (files(page) for page in PAGES)
    count = sum(code.count("\n") for path, code in typed.items() if path != "Package.swift")
    assert len(first) == 2 and len(typed) == 4 and count <= LIMIT, f"{[*first, *typed]}, {count} lines"
    package = folder

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

    def run(name):
        arrived.clear()
        data = {"HOME": package, "XDG_DATA_HOME": f"{package}/data", "EVENT_DELIVERY_LOG": "warnings"}
        log = subprocess.run([f"{scratch}/debug/Acme"], check=True, capture_output=True, text=True,
                             env={**os.environ, **data}).stderr
        assert not log, log
        assert len(arrived) == 1 and f'"{name}"' in arrived[0], f"the receiver has {arrived}"

    write("typed", typed)
    swift("build", "--build-tests")
    swift("test", "--skip-build")
    run("product_viewed")
    write("first", first)
    swift("build", "--product", "Acme")
    run("opened")


main(*sys.argv[1:])
