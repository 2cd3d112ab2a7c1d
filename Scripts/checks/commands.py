"""Runs the commands of the pages and of the help texts in a clone of this checkout. Scripts/checks/commands runs it."""

import argparse
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.getcwd()
BUILT = os.environ["BUILT"]
LIMIT = 180  # seconds for a command

# Commands that do not run here: a pattern of `page: command`, and the reason.
NOT_RUN = [
    (r"(^|\s)(Scripts/test|\.ci/run|Scripts/checks/(packages|commands))\b", "it calls this check, or is called with it"),
    (r"Scripts/release \d\S*( --dry-run)?$", "it runs Scripts/test"),
    (r"Scripts/(docs|checks/(apple|instructions))\b", ".ci/run runs it, for minutes"),
    (r"Scripts/(checks/(browser|contract)|report)\b", ".ci/run runs it, with a browser, compilers or packages of a registry"),
    (r"Scripts/checks/prometheus\b", ".ci/run runs it, with a Prometheus"),
    (r"Scripts/checks/readers\b", "it installs half a gigabyte of packages"),
    (r"Scripts/(integration|gateways)\b", "it needs servers, and takes minutes"),
    (r"Scripts/benchmark\b", "it measures time, which needs a build for release and an idle machine"),
    (r"Scripts/simulate mutations\b(?! --check)", "it builds the engine a second time, and takes minutes"),
    (r"Scripts/simulate --until-broken", "it ends only with a fault of the engine"),
    (r"Scripts/demo --(awesome-|firebase-endpoint|ca-)", "it needs a receiver; the tests of TrackerDemo have one"),
    (r"Scripts/checks/api --new-toolchain", "it is for another toolchain than the one in Scripts/api/toolchain"),
    (r"YourFirstEvent.md: (?!Scripts/new|git |Scripts/demo --inspect$)",
     "Scripts/checks/browser first-event follows the page"),
    (r"--examples DLWishlist", "it needs a build with the new feature; Scripts/checks/browser first-event makes one"),
    (r"Scripts/(new( feature| product| vendor)?|queue|release|checks/browser)$", "it is a name, without the arguments"),
    (r"AndroidAndWeb.md: (tsc|node|kotlinc|java) ", "Scripts/checks/contract runs it"),
    (r"Scripts/fuzz --here", "it is for a debugger"),
    (r"TypedEventsAndATest.md: swift (run Acme|test)$", "Scripts/checks/packages follows the page"),
    (r"swift run (--package-path Tests/Packages/(FirstLook|WebGuest)|ACPlan write plan)$", "Scripts/checks/packages runs it"),
]

# The smallest size of a long command: a pattern of its text, and what replaces the text.
SMALLEST = [
    (r"^(Scripts/soak).*", r"\1 --minutes 0.2 --seed 7"),
    (r"^(Scripts/simulate)(?: --minutes \S+| --seeds \S+)*(?=$| --(?!replay|hash))", r"\1 --seeds 3"),
    (r"^(Scripts/fuzz(?: responses| files| TARGET)?).*", r"\1 --cases 20 --seed 7"),
    (r"^(Scripts/checks/queue).*", r"\1 --kills 2 --seed 7"),
    (r"--validate$", "--validate loopback"),
    (r"^swift run ((?:DolapLite|Tracking|Trendyol)\w+)", rf"{shlex.quote(BUILT)}/\1"),
    (r"--plan plan$", "--plan Scripts/plan"),  # the plan of the package that the page describes
    (r"192\.168\.1\.20", "127.0.0.1"),
    (r"--network$", "--network 127.0.0.1"),
]

# Values for the placeholders of a command. A queue is made before the commands that show it.
VALUES = {
    "DIR": "../queue", "LANE": "DL/firebase", "ID": "EVENT", "WHICH": "--all", "--state S": "--state queued",
    "N": "2", "S": "7", "--port N": "--port 0", "PORT": "0", "ADDRESS": "127.0.0.1", "URL": "loopback", "REV": "HEAD",
    "FILE": "../clickstream.csv", "TYPE": "sumo", "STYLE": "snake-case", "NAME": "DLCheckout", "TARGET": "files",
    "--plan DIR": "--plan Scripts/plan", "--contract DIR": "--contract ../contract",
    "FOLDER": shlex.quote(BUILT), "PROGRAM": "python3",
}

# The commands of the rows of a help text, which are options and verbs: a pattern of the script and its row. Without a
# match, a row comes after the script.
ROWS = [
    (r"^Scripts/queue (--help)", r"Scripts/queue \1"),
    (r"^Scripts/queue (--json)", r"Scripts/queue DIR list \1"),
    (r"^Scripts/queue (--body)", r"Scripts/queue DIR export \1"),
    (r"^Scripts/queue (--yes)", r"Scripts/queue DIR quarantine discard --all \1"),
    (r"^Scripts/queue (?!--)", r"Scripts/queue DIR "),
    (r"^Scripts/release (sbom.*) PROGRAM$", rf"Scripts/release \1 {shlex.quote(BUILT)}/TrackerDemo"),
    (r"^Scripts/release (?!--frozen|sbom)", r"Scripts/release 1.0.0 "),
    (r"^Scripts/new (--dry-run)", r"Scripts/new feature DL Wishlist \1"),
    (r"^Scripts/demo (--queue) DIR", r"Scripts/demo \1 ../own"),
    (r"^Scripts/demo (--faults|--plan DIR)", r"Scripts/demo --inspect \1"),
    (r"^Scripts/demo (--seed N|--games N|--headless)", r"Scripts/demo --game \1"),
]

# Exit codes other than 0 that a page promises: of a queue in which events wait, and of receivers that are down.
STATUSES = [(r"^Scripts/queue \S+ (why|explain|quarantine|verify)", {0, 1}), (r"^Scripts/demo .*--offline", {2})]

# Commands that run until Ctrl-C, and the status with which they then end.
ENDLESS = [(r"^Scripts/(demo --inspect|inspect)(?!.* --help)", {130}), (r"^Scripts/queue \S+ tail.* -f", {0, 130})]

# The files that a command must have made.
MADE = [
    (r"^Scripts/new feature (\w+) (\w+)", [r"Modules/*/\1\2/\1\2Events.swift", r"Tests/*/\1\2Tests/*.swift"]),
    (r"^Scripts/new product (\w+)", [r"Modules/*/\1Tracker/\1Tracker.swift"]),
    (r"^Scripts/new vendor (\w+)", [r"Modules/Services/\1Tracker/\1Destination.swift"]),
    (r"^Scripts/demo --queue (\S+)", [r"\1/queue.db"]),
]
# Commands that may change files of the repository. Each other one must leave the clone as it is.
CHANGES = r"^(Scripts/new|git (checkout|clean))"


def checkout_files(*patterns):
    """Returns the files of this checkout, with those that are not committed yet."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted({name for name in listed.split("\0") if name and os.path.lexists(name)})


class Command:
    """A command of a page or of a help text. The commands of a group run one after the other in the same clone."""

    def __init__(self, place, text, group=None, is_block=False):
        self.place, self.text, self.group, self.is_block = place, re.sub(r"\s+", " ", text), group, is_block
        self.run = self.text
        for pattern, replacement in SMALLEST:
            self.run = re.sub(pattern, replacement, self.run)
        for name, value in sorted(VALUES.items(), key=lambda pair: -len(pair[0])):
            self.run = re.sub(rf"(?<![\w/-]){name}(?![\w/])", lambda _: value, self.run)

    @property
    def reason(self):
        """The reason why it does not run here, if there is one."""
        return next((reason for pattern, reason in NOT_RUN if re.search(pattern, f"{self.place}: {self.text}")), None)

    @property
    def statuses(self):
        """The exit codes that its page promises."""
        return next((found for pattern, found in ENDLESS + STATUSES if re.search(pattern, self.run)), {0})

    @property
    def is_endless(self):
        return any(re.search(pattern, self.run) for pattern, _ in ENDLESS)

    @property
    def made(self):
        """The files that it must have made, as patterns of paths."""
        if "--dry-run" in self.run:
            return []
        matches = [(re.search(pattern, self.run), files) for pattern, files in MADE]
        return [match.expand(file) for match, files in matches if match for file in files]


def is_command(text):
    """Returns whether text in backticks is a command, and not a path or a part of one."""
    program = text.split()[0]
    if program.startswith(("Scripts/", ".ci/")):
        is_path = os.path.exists(program) and not shutil.which(program)  # a folder, or a file that is no program
        return not is_path and not re.search(r"[*…]|\.(\w+)$", program)
    return bool(re.match(r"swift (run|format|build|package|test) |git (log|checkout|clean|tag|status|diff)\b", text))


def commands_of_page(page):
    """Returns the commands of a page in their order. Its blocks are one group, and so is each paragraph."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    place, found = os.path.basename(page), []
    for match in re.finditer(r"^ *```(\w*)\n(.*?)^ *```|`([^`]+)`", text, re.MULTILINE | re.DOTALL):
        language, block, inline = match.groups()
        if language in ("sh", "bash", "console", "shell"):
            lines = [line.strip().removeprefix("$ ") for line in block.split("\n")]
            found += [Command(place, line, group=place, is_block=True) for line in lines if line and line[0] != "#"]
        elif inline and inline.strip() and is_command(inline.strip()):
            group = f"{place} {text.count(chr(10) * 2, 0, match.start())}"  # the paragraph
            found += [Command(place, one, group=group) for one in with_and_without_options(inline.strip())]
    return found


def with_and_without_options(text):
    """Returns a text without its optional parts, such as `[LANE]`, and with them."""
    least = re.sub(r" ?\[[^\]]*\]", "", text)
    most = re.sub(r"\[([^\]|…]*)\]", r"\1", re.sub(r" ?\[[^\]]*[|…][^\]]*\]", "", text))
    return dict.fromkeys([least, most])


def commands_of_help(script):
    """Returns the script itself if it needs no argument, and the rows of its help text."""
    help = subprocess.run([script, "--help"], capture_output=True, text=True, check=True).stdout
    name = os.path.basename(script)
    place, found = f"{name} --help", []
    synopsis = re.search(rf": {script}((?: [A-Z]\S*| \[[^\]]*\])*)$", help, re.MULTILINE)
    if synopsis:
        found.append(Command(place, re.sub(r" \[[^\]]*\]", "", script + synopsis[1])))
    for row in re.findall(r"^  (\S(?:.*?\S)?)  +\S", help, re.MULTILINE):
        for one in with_and_without_options(row) if row[0] == "-" or row[0].islower() else []:
            text = f"{script} {one}"
            rows = (re.sub(pattern, command, text) for pattern, command in ROWS if re.search(pattern, text))
            found.append(Command(place, next(rows, text)))
    return found


class Clone:
    """A clone with the files of this checkout as its last commit, and a folder around it for what commands write."""

    def __init__(self, folder):
        self.path, self.changed = os.path.join(folder, "clone"), False
        self.environment = {**os.environ, "TMPDIR": os.path.join(folder, "temporary")}
        os.mkdir(self.environment["TMPDIR"])
        subprocess.run(["git", "clone", "--quiet", "--shared", ROOT, self.path], check=True)
        self.git("rm", "-r", "--quiet", "--ignore-unmatch", ".")
        files = "\0".join(checkout_files()).encode()
        packed = subprocess.run(["tar", "--create", "--null", "--files-from", "-"], input=files, check=True,
                                capture_output=True).stdout
        subprocess.run(["tar", "--extract"], input=packed, cwd=self.path, check=True)
        self.git("add", "--all")
        self.git("-c", "user.name=check", "-c", "user.email=check@localhost",
                 "commit", "--quiet", "--allow-empty", "--message", "Files")
        os.makedirs(f"{self.path}/.build", exist_ok=True)
        with open(os.path.join(folder, "clickstream.csv"), "w", encoding="utf-8") as file:
            file.write("event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session\n"
                       "2020-02-01 00:00:01 UTC,view,1004856,1,electronics.smartphone,samsung,130.76,1,a\n")

    def git(self, *words):
        return subprocess.run(["git", *words], cwd=self.path, check=True, capture_output=True, text=True).stdout

    def reset(self):
        if self.changed:
            self.git("reset", "--quiet", "--hard")
            self.git("clean", "--quiet", "-d", "--force")
            self.changed = False

    def make_queue(self):
        """Makes a queue in which events wait, and returns the id of one."""
        self.run("Scripts/demo --offline --queue ../queue")
        lines = self.run("Scripts/queue ../queue export")[1].split("\n")
        return next(json.loads(line)["id"] for line in lines if line.startswith("{"))

    def run(self, text, is_endless=False):
        """Runs a command and returns its status and its output.

        An endless command gets Ctrl-C when it has printed a link, or after a few seconds.
        """
        process = subprocess.Popen(
            ["bash", "-c", text], cwd=self.path, env=self.environment, text=True, errors="replace",
            start_new_session=True, stdin=subprocess.PIPE if is_endless else subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # ignored if this runs in the background
        timers = [threading.Timer(LIMIT, os.killpg, (process.pid, signal.SIGKILL))]
        if is_endless:
            timers.append(threading.Timer(5, os.killpg, (process.pid, signal.SIGINT)))
        for timer in timers:
            timer.start()
        output = ""
        for line in process.stdout:
            output += line
            if is_endless and "?token=" in line:
                timers[-1].cancel()
                os.killpg(process.pid, signal.SIGINT)
        process.wait()
        for timer in timers:
            timer.cancel()
        status = process.returncode
        return status if status >= 0 else 128 - status, output  # as a shell does


def findings(clone, command, page_paths):
    """Runs a command, and returns what differs from its promise."""
    before = clone.git("status", "--porcelain") if clone.changed else ""
    status, output = clone.run(command.run, command.is_endless)
    clone.changed = True
    if status not in command.statuses:
        expected = " or ".join(map(str, sorted(command.statuses)))
        return [f"exit code {status} instead of {expected}", *output.rstrip().split("\n")[-12:]]
    found = [f"it has not made {file}" for file in command.made if not glob.glob(os.path.join(clone.path, file))]
    if match := re.fullmatch(r"Scripts/new feature (\w+) (\w+)", command.run):
        made = [path for path in page_paths if match[1] + match[2] in path]
        found += [f"the page names {path}, which is not made" for path in made
                  if not os.path.exists(f"{clone.path}/{path}")]
    if not re.search(CHANGES, command.run) and (changes := clone.git("status", "--porcelain")) != before:
        found += ["it changes files:", *changes.rstrip().split("\n")]
    return found


def all_commands(only):
    """Returns the commands that contain a text, with the others of their groups, and the paths that each page names."""
    commands, paths = [], {}
    for page in checkout_files("*.md"):
        commands += commands_of_page(page)
        with open(page, encoding="utf-8") as file:
            paths[os.path.basename(page)] = re.findall(r"`((?:Modules|Tests)/[\w/+.-]+)`", file.read())
    for script in sorted(glob.glob("Scripts/*") + glob.glob("Scripts/checks/*")):
        if os.path.isfile(script) and os.access(script, os.X_OK) and "." not in script:
            commands += commands_of_help(script)
    groups = {command.group for command in commands if only in command.text} - {None}
    return [command for command in commands if only in command.text or command.group in groups], paths


def run_all(commands, paths, folder):
    """Runs commands and prints their results, and returns how many have run and failed."""
    clone, event, group, ran, failed = Clone(folder), None, None, 0, 0
    for command in commands:
        if not command.group or command.group != group:
            clone.reset()
        group = command.group
        if "../queue" in command.run:
            event = event or clone.make_queue()
            command.run = command.run.replace("EVENT", event)
        start = time.monotonic()
        found = findings(clone, command, paths.get(command.place, []))
        seconds = time.monotonic() - start
        print(f"{'FAILED' if found else '  ok  '} {seconds:5.1f} s  {command.place}: {command.text}", flush=True)
        for line in found:
            print(f"         {line}")
        ran, failed = ran + 1, failed + bool(found)
    return ran, failed


def main():
    parser = argparse.ArgumentParser(prog="Scripts/checks/commands")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    commands, paths = all_commands(options.only)
    if not commands:
        sys.exit(f"commands: no command of a page or a help text has {options.only}")
    runnable, skipped, seen = [], {}, set()
    for command in commands:
        if command.reason:
            skipped.setdefault(command.reason, {})[command.text] = True
        elif command.is_block or command.run not in seen:
            seen.add(command.run)
            runnable.append(command)
    ran, failed = 0, 0
    if options.list:
        for command in runnable:
            changed = f"  as  {command.run}" if command.run != command.text else ""
            print(f"{command.place}: {command.text}{changed}")
    else:
        for program in ("TrackerDemo", "QueueTool", "TrackingPlanTool"):
            if not os.access(f"{BUILT}/{program}", os.X_OK):
                sys.exit(f"commands: there is no {program} in {BUILT}; Scripts/test builds it")
        with tempfile.TemporaryDirectory() as folder:
            ran, failed = run_all(runnable, paths, folder)
    print("Not run:")
    for reason, texts in skipped.items():
        more = f" and {len(texts) - 4} more" if len(texts) > 4 and not options.list else ""
        print(f"  {reason}: {', '.join(list(texts)[:4] if more else texts)}{more}")
    print(f"commands: {ran} have run, {failed} failed")
    sys.exit(1 if failed else 0)


main()
