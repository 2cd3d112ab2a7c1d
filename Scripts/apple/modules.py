"""Runs the compiler's front end on the package's modules for one Apple platform: modules.py STORE PLATFORM [--tests].

STORE is the folder of the stand-in SDK. PLATFORM is the compiler's name for the lowest supported version, such as
ios18.0. The flags are those of the manifest, with warnings as errors. Checking includes the diagnostics of SIL, which
find data races. The script prints each diagnostic once, followed by the number of checked files, and fails if there
is any diagnostic.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from glob import glob

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
# Each stub replaces a framework or adds declarations that the toolchain lacks. In this order: UIKit needs the first.
STUBS = ["AppleFoundation", "UIKit", "os", "SwiftUI", "Network", "WebKit", "XCTestApple"]
# The platforms without a framework, on which canImport is false.
ABSENT = {"UIKit": ("macosx",), "WebKit": ("tvos", "watchos")}


def front_end(store, platform, out):
    """Returns the compiler's command for a platform, without its input."""
    name = platform.rstrip("0123456789.")
    return [
        "swiftc", "-frontend", "-target", f"arm64-apple-{platform}", "-sdk", f"{store}/sdk/{name}",
        "-resource-dir", f"{store}/resources", "-module-cache-path", f"{store}/cache", "-disable-objc-interop",
        "-diagnostic-style", "llvm", "-parse-as-library", "-I", out,
    ]  # fmt: skip


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
    return done.returncode, done.stdout


def build_stubs(compiler, out, platform):
    for stub in STUBS:
        if platform.startswith(ABSENT.get(stub, ())):
            continue
        source, module = f"{HERE}/stubs/{stub}.swift", f"{out}/{stub}.swiftmodule"
        if os.path.exists(module) and os.path.getmtime(module) > os.path.getmtime(source):
            continue
        code, text = run(compiler + ["-emit-module", "-o", module, "-module-name", stub, "-swift-version", "5", source])
        if code:
            sys.exit(f"{platform}: the stub of {stub} does not compile\n{text}")


def in_order(targets):
    """Returns the manifest's targets, each after its dependencies."""
    done = {}

    def visit(name):
        if name in done:
            return
        for dependency in targets[name]["dependencies"]:
            visit(dependency["byName"][0])
        done[name] = targets[name]

    for name in targets:
        visit(name)
    return done.values()


def settings(target):
    """Returns the compiler's flags for a target's Swift settings."""
    flags = []
    for kind in (setting["kind"] for setting in target["settings"]):
        if "enableUpcomingFeature" in kind:
            flags += ["-enable-upcoming-feature", kind["enableUpcomingFeature"]["_0"]]
        elif "swiftLanguageMode" in kind:
            flags += ["-swift-version", kind["swiftLanguageMode"]["_0"]]
        elif "strictMemorySafety" in kind:
            flags += ["-strict-memory-safety"]
        else:
            sys.exit(f"{target['name']}: no flag is known for the setting {kind}")
    return flags


def copied(path, out):
    """Copies a file and replaces, without changing line numbers, checks for Linux modules and the name of Foundation.

    No flag can hide these modules, because the toolchain's Foundation requires them.
    """
    with open(f"{ROOT}/{path}") as file:
        text = file.read()
    text = re.sub(r"canImport\((FoundationEssentials|FoundationNetworking|Glibc|Musl)\)", r"canImport(No\1)", text)
    text = re.sub(r"(?m)^((?:@preconcurrency )?(?:(?:public|package|internal|private|fileprivate) )?import )Foundation$",
                  r"\1AppleFoundation", text)  # fmt: skip
    text = re.sub(r"(?m)^import XCTest$", "import XCTestApple", text)
    copy = f"{out}/src/{path}"
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    with open(copy, "w") as file:
        file.write(text)
    return copy


def sources(target):
    folder = target["path"]
    excluded = [f"{folder}/{name}" for name in target.get("exclude", [])]
    paths = [os.path.relpath(path, ROOT) for path in sorted(glob(f"{ROOT}/{folder}/**/*.swift", recursive=True))]
    return [path for path in paths if not any(path == e or path.startswith(e + "/") for e in excluded)]


def check(target, compiler, out):
    """Returns the number of a target's files and the compiler's diagnostics. Leaves no module after a failure."""
    module = f"{out}/{target['name']}.swiftmodule"
    if os.path.exists(module):
        os.remove(module)
    files = [copied(path, out) for path in sources(target)]
    host = os.path.dirname(os.path.dirname(os.path.realpath(shutil.which("swiftc"))))
    maps = glob(f"{ROOT}/Modules/System/*/module.modulemap") + glob(f"{ROOT}/Modules/System/*/include/module.modulemap")
    command = compiler + settings(target)
    command += ["-emit-sil", "-o", "/dev/null", "-emit-module-path", module, "-module-name", target["name"]]
    command += ["-warnings-as-errors", "-enable-testing", "-package-name", "modulareventtracker", "-D", "DEBUG"]
    command += [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
    for folder in ("plugins", "plugins/testing"):  # the folder of Testing's macros differs between toolchains
        command += ["-plugin-path", f"{host}/lib/swift/host/{folder}"]
    code, text = run(command + files)
    found = [line.replace(f"{out}/src/", "") for line in text.splitlines() if re.search(r": (error|warning): ", line)]
    if code:
        if os.path.exists(module):
            os.remove(module)
        found = found or [f"{target['name']}: the compiler ended with {code}", *text.splitlines()[:40]]
    return len(files), list(dict.fromkeys(found))


def is_for_phones(target):
    """Returns whether a target is an app with screens, and not a tool."""
    def imports_screens(path):
        with open(f"{ROOT}/{path}") as file:
            return re.search(r"(?m)^import (SwiftUI|UIKit)$", file.read())

    return target["type"] == "executable" and any(imports_screens(path) for path in sources(target))


def main():
    store, platform = sys.argv[1], sys.argv[2]
    kinds = ["regular", "executable", "test"] if "--tests" in sys.argv else ["regular"]
    out = f"{store}/out/{platform}"
    os.makedirs(out, exist_ok=True)
    compiler = front_end(store, platform, out)
    build_stubs(compiler, out, platform)
    targets = {target["name"]: target for target in json.load(open(f"{store}/package.json"))["targets"]}
    modules = files = 0
    findings = []
    failed = set()
    left = 0
    for target in in_order(targets):
        is_checked = target["type"] in kinds or platform.startswith("ios") and is_for_phones(target)
        if not is_checked and target["type"] != "system" or target["type"] != "system" and not sources(target):
            continue  # C alone is not checked: what imports it reads its header
        if failed.intersection(dependency["byName"][0] for dependency in target["dependencies"]):
            failed.add(target["name"])
            left += 1
        elif is_checked:
            count, found = check(target, compiler, out)
            modules, files, findings = modules + 1, files + count, findings + found
            if found:
                failed.add(target["name"])
    rest = f"; {left} modules not checked, because they import these" if left else ""
    print("\n".join(findings + [f"{platform}: {modules} modules, {files} files, {len(findings)} findings{rest}"]))
    sys.exit(1 if findings else 0)


main()
