"""Prints the libraries of a built program as a table or as JSON. Scripts/release runs it."""

import json
import os
import re
import shutil
import subprocess
import sys


def output(*command):
    """Returns what a command prints, or nothing if it fails or does not exist."""
    try:
        return subprocess.run(command, capture_output=True, text=True).stdout
    except FileNotFoundError:
        return ""


def component(file, toolchain, swift):
    """Returns the name, version, licence and file of a library. The licences are those of its package's copyright file."""
    name = os.path.basename(file)
    if file.startswith(toolchain + "/"):
        return "swift-runtime", swift, "Apache-2.0 WITH Swift-exception", name
    # If /lib is a link, a package may list the file by either path.
    paths = (file, file.removeprefix("/usr"), "/usr" + file)
    package = next((owner.split(":")[0] for owner in (output("dpkg-query", "--search", path) for path in paths) if owner), "")
    if not package:
        return "unknown", "unknown", "see the copyright file", name
    copyright = f"/usr/share/doc/{package}/copyright"
    text = open(copyright, encoding="utf-8").read() if os.path.exists(copyright) else ""
    licences = ", ".join(dict.fromkeys(re.findall(r"^License: *(.+)$", text, re.MULTILINE)))
    version = output("dpkg-query", "--show", "--showformat=${Version}", package)
    return package, version, licences or "see the copyright file", name


def main(arguments):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
    folders = [os.environ["BUILT"]] if os.environ.get("BUILT") else [f"{root}/.build/release", f"{root}/.build/debug"]
    programs = [word for word in arguments if word != "--json"] or [f"{folder}/TrackerDemo" for folder in folders]
    program = next((program for program in programs if os.access(program, os.X_OK)), None)
    if not sys.platform.startswith("linux") or not program:
        sys.exit(f"sbom: it needs Linux and a built program, such as {os.path.normpath(programs[0])}")
    toolchain = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swift"))))
    swift = re.search(r"Swift version ([0-9.]+)", output("swift", "--version"))[1]
    files = {os.path.realpath(path) for path in re.findall(r"(?:=> |^\s*)(/\S+)", output("ldd", program), re.MULTILINE)}
    rows = sorted({component(file, toolchain, swift) for file in files})
    keys = ("name", "version", "licence", "file")
    if "--json" in arguments:
        components = [dict(zip(keys, row)) for row in rows]
        print(json.dumps({"program": os.path.basename(program), "components": components}, indent=2, ensure_ascii=False))
        return
    for name, version, licence, file in (keys, *rows):
        print(f"{name:28} {version:26} {licence[:40]:40} {file}")


main(sys.argv[1:])
