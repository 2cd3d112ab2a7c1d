"""Adds a feature, a product or a vendor to the repository in the current folder. Scripts/new runs it."""

import glob
import os
import re
import subprocess
import sys
import tempfile
import textwrap

MANIFEST, PRODUCTS = "Package.swift", "Modules/App/SuperApp/ProductEntry.swift"
TYPE = re.compile(r"^(?:public |package )?(?:final )?(?:actor|class|enum|protocol|struct|typealias) (\w+)", re.M)
LINE = 120  # characters, as in .swift-format
# A vendor's constant or function with such a name would hide the property in all files that import the vendor's module.
MEMBERS = {"name", "product", "service", "description", "hashValue"}


class Refusal(Exception):
    """The reason why a request is refused, in one line."""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def words(name):
    """Returns the words of a name: `HTTPLog2` has two."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name).split(" ")


def lower_camel(name):
    first = words(name)[0]
    return first.lower() + name[len(first):]


def check_name(name, example):
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]{1,29}", name):
        raise Refusal(f"'{name}' is not a valid name: use 2 to 30 letters and digits that start with a capital, "
                      f"such as {example}")


def modules():
    """Returns the path of each module by its name."""
    return {os.path.basename(path): path for path in glob.glob("Modules/*/*") if os.path.isdir(path)}


def types():
    """Returns the path of each file by the types that it declares at its top level."""
    return {name: path for path in glob.glob("Modules/**/*.swift", recursive=True) for name in TYPE.findall(read(path))}


def check_module(module):
    """Refuses the name of another module or type. Some file systems ignore the case of a name."""
    for name, path in [*modules().items(), *types().items()]:
        if name.lower() == module.lower():
            raise Refusal(f"the name {module} is taken by {path}")


class Names:
    """The names of a template and their replacements.

    A name is replaced where it is a whole identifier or word, or the first part of an identifier: the name `ACBasket`
    is in `ACBasketOpened` and not in `MACBasket` or `ACBaskets`. All are replaced at once, so a replacement may contain
    the name of a template.
    """

    def __init__(self, identifiers, literals=None, path=None):
        self.texts = {**identifiers, **(literals or {})}
        alternatives = [rf"(?<!\w){re.escape(text)}(?![A-Za-z0-9_])" for text in literals or {}]
        longest_first = sorted(identifiers, key=len, reverse=True)
        alternatives += [rf"(?<!\w){re.escape(text)}(?![a-z0-9_])" for text in longest_first]
        self.pattern = re.compile("|".join(f"(?:{one})" for one in alternatives))
        self.path = path or {}

    def in_text(self, text):
        return self.pattern.sub(lambda match: self.texts[match[0]], text)

    def in_file_name(self, name):
        stem, ending = name.split(".", 1)
        for old, new in self.path.items():
            stem = re.sub(rf"(?<![A-Za-z0-9]){old}(?![a-z0-9])", new, stem)
        return f"{stem}.{ending}"


def copy(package, module, copied, shelf, names):
    """Returns the files of a package's module and its tests under their new paths, with the new names."""
    declared, files = types(), {}
    for folder, place in ((f"Sources/{module}", f"Modules/{shelf}/{copied}"),
                          (f"Tests/{module}Tests", f"Tests/{shelf}/{copied}Tests")):
        root = f"Tests/Packages/{package}/{folder}"
        for path in glob.glob(f"{root}/**/*.*", recursive=True):
            text = names.in_text(read(path))
            for name in TYPE.findall(text) if place.startswith("Modules") else []:
                if name in declared:
                    raise Refusal(f"the type {name} exists already, in {declared[name]}")
            folders, name = os.path.split(os.path.relpath(path, root))
            files[os.path.normpath(os.path.join(place, folders, names.in_file_name(name)))] = text
    return files


def change(files, path, pattern, replacement):
    """Replaces the only match of a pattern in a file."""
    text, count = re.subn(pattern, replacement, files.get(path) or read(path), flags=re.DOTALL | re.MULTILINE)
    if count != 1:
        raise Refusal(f"{path} has {count} places for an entry instead of one: {pattern}")
    files[path] = text


def add_module(files, shelf, kind, entry):
    """Adds an entry to a shelf's list in the manifest, before the first entry of its kind with a later name."""
    def inserted(match):
        entries = [one.rstrip().rstrip(",") for one in re.split(r"^(?=    [.A-Z])", match[2], flags=re.MULTILINE) if one]
        name = re.search(r'"(\w+)"', entry)[1]
        later = [index for index, one in enumerate(entries)
                 if re.match(kind, one.strip()) and re.search(r'"(\w+)"', one)[1] > name]
        entries.insert(later[0] if later else len(entries), "    " + entry)
        return match[1] + ",\n".join(entries) + ",\n]"

    change(files, MANIFEST, rf"^(let {lower_camel(shelf)}: \[Module\] = \[\n)(.*?)\n\]", inserted)


def fill(pairs, before, new):
    """Returns lines of pairs, with a new one before another."""
    pairs.insert(pairs.index(before), new)
    text = ", ".join(pair.replace(" ", "\0") for pair in pairs) + ","
    return textwrap.fill(text, LINE, initial_indent="    ", subsequent_indent="    ").replace("\0", " ")


def feature(prefix, name):
    entry = re.search(rf'^ +"{re.escape(prefix)}",$', read(PRODUCTS), re.MULTILINE)
    trackers = glob.glob(f"Modules/*/{prefix}Tracker/{prefix}Tracker.swift")
    if not entry or len(trackers) != 1:
        raise Refusal(f"there is no product {prefix}; Scripts/new product adds one")
    if re.match(rf"{prefix}(?![a-z])", name):
        rest = name[len(prefix):]
        raise Refusal(f"the script adds the prefix: Scripts/new feature {prefix} {rest or 'NAME'}")
    check_name(name, "Wishlist")
    if name == "Tracker":
        raise Refusal(f"{prefix}Tracker is the product's tracker")
    if name.endswith(("Tests", "Testing")):
        raise Refusal(f"'{name}': the tracking plan ignores modules whose names end in Tests or Testing")
    shelf, module, identifier = trackers[0].split("/")[1], prefix + name, prefix.lower() + name
    phrase = " ".join(words(name)).lower()
    event, title = phrase.replace(" ", "_") + "_opened", f"{phrase.capitalize()} opened"
    if event.startswith(("ga_", "google_", "firebase_")):
        raise Refusal(f"'{name}': Firebase reserves names that begin with ga_, google_ and firebase_")
    if len(event) > 40:
        raise Refusal(f"'{name}': the event {event} is longer than the 40 characters that Firebase accepts")
    check_module(module)
    for path in glob.glob(f"Modules/{shelf}/**/*.swift", recursive=True) + glob.glob("Modules/App/*/*.swift"):
        for text in (event, title):
            if f'"{text}"' in read(path):
                raise Refusal(f"the event '{text}' exists already, in {path}")
    product = re.search(r"/// The tracker of ([^:,.]+)", read(trackers[0]))
    names = Names(
        {"ACBasket": module, "acBasket": identifier, "AC": prefix, "Acme": product[1] if product else prefix,
         "basket": phrase, "Basket": phrase.capitalize()},
        # Firebase reserves view_cart for baskets.
        {"view_cart": event, "basket_opened": event, '"basket"': f'"{event.removesuffix("_opened")}"'},
        path={"ACBasket": module, "Basket": name},
    )
    files = copy("OutsideProduct", "ACBasket", module, shelf, names)
    add_module(files, shelf, r"\.feature\(", f'.feature("{module}", of: "{prefix}Tracker")')
    change(files, PRODUCTS, r"\A", f"import {module}\n")
    change(files, PRODUCTS, rf'("{prefix}",\n[^\]]*?catalogs: \[[^\]]*?),?(\s*)\]',
           lambda match: f"{match[1]}{'' if match[1].endswith('[') else ','}\n.{identifier},{match[2]}]")
    hint = f"Modules/{shelf}/{module}/{module}Events.swift has its first event"
    return files, hint, [f"test --module {module}", "tracking-plan", "checks/api --write", "test"]


def product(prefix, name):
    if not re.fullmatch(r"[A-Z]{2}", prefix):
        raise Refusal(f"'{prefix}' is not a valid prefix: use two capitals, such as XY")
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*( [A-Za-z0-9]+)*", name) or len(name) > 30:
        raise Refusal(f"'{name}' is not a valid name: use at most 30 letters, digits and spaces, such as 'Acme Shop'")
    shelf, module = "".join(word[0].upper() + word[1:] for word in name.split(" ")), prefix + "Tracker"
    # A shelf is a library, and another product of the package must not have its name.
    shelves = {os.path.basename(path).lower(): path
               for path in [*glob.glob("Apps/*"), *glob.glob("Modules/*/*"), *glob.glob("Modules/*")]}
    if found := [*glob.glob(f"Modules/*/{prefix}[A-Z]*"), *filter(None, [shelves.get(shelf.lower())])]:
        raise Refusal(f"the prefix {prefix} or the shelf {shelf} is taken: {found[0]}")
    variable = lower_camel(shelf)
    if re.search(rf'^let {variable}\b|^    "{shelf}": ', read(MANIFEST), re.MULTILINE):
        raise Refusal(f"the name {variable} or {shelf} is taken in {MANIFEST}")
    names = Names({"AC": prefix, "Acme": name}, path={"AC": prefix})
    files = copy("OutsideProduct", "ACTracker", module, shelf, names)
    change(files, MANIFEST, r"^// MARK: App$",
           f'// MARK: {name}\nlet {variable}: [Module] = [\n    .product("{module}")\n]\n\n\\g<0>')
    change(files, MANIFEST, r"^(let productModules = \([^)]*)\)", rf"\1 + {variable})")
    change(files, MANIFEST, r'^    "CoreTrackerTesting": \[', rf'    "{shelf}": {variable}.map(\\.name),\n\g<0>')
    change(files, MANIFEST, r"(?<=^let shelves: KeyValuePairs = \[\n).*?(?=\n\])", lambda match: fill(
        re.findall(r'"\w+": \w+', match[0]), before='"App": app', new=f'"{shelf}": {variable}'))
    change(files, PRODUCTS, r"\A", f"import {module}\n")
    change(files, PRODUCTS, r"^    \]\n\}", f'''        ProductEntry(
            "{prefix}",
            tracker: {{ {module}(vendorService: $0) }},
            defaults: {prefix}Settings().awesomeTrackingDefaults,
            catalogs: []
        ),\n\\g<0>''')
    hint = f"Modules/{shelf}/{module} has its services and settings"
    return files, hint, [f"test --module {module}", "checks/api --write", "test", f"new feature {prefix} NAME"]


def vendor(name):
    check_name(name, "Acme")
    if name.endswith("Tracker"):
        rest = name.removesuffix("Tracker") or "NAME"
        raise Refusal(f"the script adds the ending Tracker: Scripts/new vendor {rest}")
    identifier, module = lower_camel(name), name + "Tracker"
    check_module(module)
    if identifier in MEMBERS:
        raise Refusal(f"'{name}': {identifier} is a property of each TrackerType or LaneID")
    member = rf'{identifier}: TrackerType|{identifier}\(product: |\w+: TrackerType = "{identifier}"'
    for path in glob.glob("Modules/**/*.swift", recursive=True):
        if re.search(rf"static (?:let|func) (?:{member})", read(path)):
            raise Refusal(f"the vendor '{identifier}' exists already, in {path}")
    literals = {"outside.example": f"{name.lower()}.example"}
    names = Names({"Outside": name, "outside": identifier}, literals, path={"Outside": name})
    files = copy("OutsideVendor", "OutsideTracker", module, "Services", names)
    add_module(files, "Services", "", f'.vendor("{module}")')
    hint = f"Modules/Services/{module}/{name}Destination.swift has its wire format"
    return files, hint, [f"test --module {module}", "checks/api --write", "test"]


def write(files, folder="."):
    for path, text in files.items():
        os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
        with open(f"{folder}/{path}", "w", encoding="utf-8") as file:
            file.write(text)


def formatted(files):
    """Returns the files with the Swift code formatted. The manifest must be valid."""
    with tempfile.TemporaryDirectory() as folder:
        write(files, folder)
        sources = [path for path in files if path.endswith(".swift")]
        for command in (["swift", "format", "--in-place", "--configuration", ".swift-format",
                         *(f"{folder}/{path}" for path in sources)],
                        ["swift", "package", "--package-path", folder, "dump-package"]):
            if subprocess.run(command, capture_output=True).returncode:
                raise Refusal("Swift does not accept this name; choose another one")
        return files | {path: read(f"{folder}/{path}") for path in sources}


def main(arguments):
    kinds = {"feature": (feature, 2), "product": (product, 2), "vendor": (vendor, 1)}
    kind, *names = [word for word in arguments if word != "--dry-run"] or [""]
    if kind not in kinds or len(names) != kinds[kind][1]:
        raise Refusal("expected feature PREFIX NAME, product PREFIX NAME or vendor NAME; --help shows examples")
    files, hint, commands = kinds[kind][0](*names)
    files = formatted(files)
    changes = [f"{'M ' if os.path.exists(path) else '??'} {path}" for path in sorted(files)]
    if "--dry-run" not in arguments:
        write(files)
    print(*changes, sep="\n")
    if "--dry-run" in arguments:
        return
    print(f"{hint}. Next:", *(f"  Scripts/{command}" for command in commands), sep="\n")


try:
    main(sys.argv[1:])
except (Refusal, OSError, KeyboardInterrupt) as refusal:
    print(f"new: {str(refusal) or 'interrupted'}", file=sys.stderr)
    sys.exit(64)
