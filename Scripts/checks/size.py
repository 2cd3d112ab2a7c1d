"""Measures the delivery engine and compares it with its limits: size.py [--table]. Scripts/checks/size.sh runs it.

How each row is counted:
- Code lines: the lines of all Swift files below a folder that are neither blank nor only a comment, which begins with
  `//`.
- What a feature compiles: the code lines of the modules in FEATURE, on which a feature of DolapLite depends.
- A knot: the files of a module that all need each other, directly or through other files. File A needs file B if the
  code of A has the name of a type, a protocol, an alias or a function that B declares at its top level. A file that
  extends a type of the module needs that type's file. The names of nested types do not count, and neither does a name
  after a dot, unless the name of the module stands before the dot. A file that declares the name itself, at any level,
  needs no other file for it, and a `private` declaration is only visible in its own file. Comments and the text of
  strings do not count, but the code in interpolations does. The row is the number of files in the largest knot. A
  folder needs the folders of the files that its files need. No two folders need each other.
- Lines of scripts: the lines of the files in Scripts that are neither blank nor only a comment, which begins with `#`.
  Scripts/api, Scripts/plan, and all `.txt` and `.json` files are data.
- Public declarations: the lines in Scripts/api with the word `public`, except in the files for Apple's platforms.
"""

import os
import re
import subprocess
import sys

SHELF = "Delivery"
EARLIER = "981cd0be"  # the commit whose values are in the column beside today's
# The modules of the shelf: their code lines at that commit and the limit, and the files of their largest knot at that
# commit and the limit. Lower a limit as soon as its value has fallen.
MODULES = {
    "EventTracking": ((5_253, 3_365), (25, 6)),
    "EventDelivery": ((5_673, 5_359), (19, 6)),
    "EventOutbox": ((2_908, 2_641), (17, 4)),
    "HTTPTransport": ((1_384, 1_450), (11, 6)),
}
SHELF_LINES = (15_218, 12_815)
# Rows without a limit, with their value at that commit.
WITH_OPTIONS, FEATURE_LINES, SCRIPT_LINES, PUBLIC = 16_468, 7_685, 6_146, 2_145
FEATURE = ["Delivery/EventTracking", "Core/CoreTracker", "Core/Analytics", "Core/MultiTracker", "System/Locks",
           "DolapLite/DLTracker"]

LINES_CURE = "remove code that the change makes unnecessary, or move an option to a module of Modules/Options"
KNOT_CURE = "let one file need fewer of the others, with a value instead of its owner, or move a declaration"

DECLARATION = re.compile(r"\b(?:struct|class|enum|actor|protocol|typealias|macro|func)\s+(?!func\b|var\b)(\w+)")
WORD = re.compile(r"[{}]|(?<!\w)[A-Za-z_]\w*|\.(?=\s*\w)")
TOKEN = re.compile(r'//[^\n]*|/\*|#*"""|#*"|[()]')
COMMENT = re.compile(r"/\*|\*/")


def swift_files(folder):
    """Returns the Swift files below a folder."""
    found = (os.path.join(path, name) for path, _, names in os.walk(folder) for name in names)
    return sorted(file for file in found if file.endswith(".swift"))


def read(file):
    with open(file, encoding="utf-8") as opened:
        return opened.read()


def lines(files, comment):
    """Returns the number of lines that are neither blank nor only a comment."""
    return sum(1 for file in files for line in read(file).split("\n")
               if line.strip() and not line.lstrip().startswith(comment))


def code_lines(*folders):
    files = {folder: swift_files(f"Modules/{folder}") for folder in folders}
    if missing := [folder for folder in folders if not files[folder]]:
        sys.exit(f"Modules/{missing[0]} has no Swift file: correct the names in Scripts/checks/size.py")
    return sum(lines(files[folder], "//") for folder in folders)


def code(text):
    """Returns Swift code without its comments and the text of its strings, but with the code of interpolations."""
    kept, index = [], 0
    strings = []  # the quotes of each string around the code, and the open parentheses of its interpolation
    while match := TOKEN.search(text, index):
        kept.append(text[index:match.start()])
        found, index = match[0], match.end()
        if found == "/*":
            depth = 1
            while depth and (part := COMMENT.search(text, index)):
                depth, index = depth + (1 if part[0] == "/*" else -1), part.end()
        elif found in "()":
            kept.append(found)
            if strings:
                strings[-1][1] += 1 if found == "(" else -1
                if strings[-1][1] == 0:
                    index = text_end(text, index, strings)
        elif found.endswith('"'):
            kept.append(" ")
            strings.append([found, 0])
            index = text_end(text, index, strings)
    return "".join(kept) + text[index:]


def text_end(text, index, strings):
    """Returns where the text of the innermost string ends: behind the string, or at its next interpolation."""
    opening = strings[-1][0]
    hashes, quotes = opening.rstrip('"'), opening.lstrip("#")
    ends = re.compile(rf"\\{hashes}(?P<open>\()|\\{hashes}.|{quotes}{hashes}", re.DOTALL)
    while match := ends.search(text, index):
        if match["open"]:
            return match.start("open")
        index = match.end()
        if match[0][0] == '"':
            break
    strings.pop()
    return index


def names(module, file):
    """Returns the names that a file declares for its module, those that it declares at any level, and those it has."""
    text = code(read(file))
    levels, used, level, words = {}, set(), 0, list(WORD.finditer(text))
    for before, dot, match in zip([None, None, *words], [None, *words], words):
        word = match[0]
        levels[match.start()] = level
        level += {"{": 1, "}": -1}.get(word, 0)
        if not dot or dot[0] != "." or before and before[0] == module:
            used.add(word)
    visible, own = set(), set()
    for match in DECLARATION.finditer(text):
        own.add(match[1])
        modifiers = text[text.rfind("\n", 0, match.start()) + 1:match.start()]
        if levels[match.start()] == 0 and not re.search(r"\b(file)?private\b", modifiers):
            visible.add(match[1])
    return visible, own, used


def needs(folder):
    """Returns the files of a module that each of its files needs directly."""
    found = {file: names(os.path.basename(folder), file) for file in swift_files(folder)}
    declaring = {}
    for file, (visible, _, _) in found.items():
        for name in visible:
            declaring.setdefault(name, set()).add(file)
    return {file: {other for name in used - own for other in declaring.get(name, ())} - {file}
            for file, (_, own, used) in found.items()}


def knots(needed):
    """Returns the groups of two or more nodes that all need each other, the largest first."""
    reached = {}
    for node in needed:
        seen, opened = set(), [node]
        while opened:
            for other in needed[opened.pop()] - seen:
                seen.add(other)
                opened.append(other)
        reached[node] = seen
    groups = {frozenset({node} | {other for other in reached[node] if node in reached[other]}) for node in needed}
    return sorted((sorted(group) for group in groups if len(group) > 1), key=lambda group: (-len(group), group))


def folders(needed):
    """Returns the folders that the files of each folder need."""
    found = {}
    for file, others in needed.items():
        folder = os.path.dirname(file)
        found[folder] = found.get(folder, set()) | {os.path.dirname(other) for other in others} - {folder}
    return found


def listed(folder):
    """Returns the existing files of the repository in a folder, with those that are not committed yet."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", folder]
    found = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    return sorted({file for file in found if os.path.isfile(file)})


def public_declarations():
    files = [file for file in listed("Scripts/api") if file.endswith(".txt") and not file.endswith(".Apple.txt")]
    return sum(len(re.findall(r"^.*\bpublic\b", read(file), re.MULTILINE)) for file in files)


def script_lines():
    data = re.compile(r"Scripts/(api|plan)/|.*\.(txt|json)$")
    return lines([file for file in listed("Scripts") if not data.match(file)], "#")


def main():
    modules = sorted(name for name in os.listdir(f"Modules/{SHELF}") if swift_files(f"Modules/{SHELF}/{name}"))
    if modules != sorted(MODULES):
        sys.exit(f"Modules/{SHELF} has {', '.join(modules)}: give each its limits in Scripts/checks/size.py")
    rows, findings = [], []

    def row(name, value, earlier, limit=None, cure=""):
        rows.append((name, *(f"{number:,}" if number is not None else "" for number in (value, earlier, limit))))
        if limit is not None and value > limit:
            findings.append(f"{name}: {value:,} is above the limit of {limit:,}; {cure}")

    for module, (counts, _) in MODULES.items():
        row(f"code lines of {module}", code_lines(f"{SHELF}/{module}"), *counts, LINES_CURE)
    row(f"code lines of Modules/{SHELF}", code_lines(SHELF), *SHELF_LINES, LINES_CURE)
    row(f"code lines of Modules/{SHELF} and Modules/Options", code_lines(SHELF, "Options"), WITH_OPTIONS)
    row("code lines that a feature compiles", code_lines(*FEATURE), FEATURE_LINES)
    for module, (_, counts) in MODULES.items():
        needed = needs(f"Modules/{SHELF}/{module}")
        for kind, group, limits in [("files", needed, counts), ("folders", folders(needed), (None, 0))]:
            knot = next(iter(knots(group)), [])
            those = ", ".join(os.path.basename(node).removesuffix(".swift") for node in knot)
            row(f"{kind} of the largest knot of {module}", len(knot), *limits, f"{KNOT_CURE}. The {kind}: {those}")
    row("lines of scripts", script_lines(), SCRIPT_LINES)
    row("public declarations", public_declarations(), PUBLIC)

    print(*findings, sep="\n", end="\n" if findings else "")
    if findings or "--table" in sys.argv:
        for name, *numbers in [("", "today", EARLIER, "limit"), *rows]:
            print((f"{name:50}" + "".join(f"{number:>10}" for number in numbers)).rstrip())
    sys.exit(1 if findings else 0)


main()
