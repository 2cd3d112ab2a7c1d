"""Adds and removes features, products, vendors and events; see Scripts/new --help."""

import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
MANIFEST, README = "Package.swift", "README.md"
PRODUCTS, VENDORS = "Modules/SuperApp/ProductEntry.swift", "Modules/SuperApp/VendorEntry.swift"
COLLECTORS = "Modules/LoopbackCollector/CollectorService+Vendors.swift"
PLAN = ["Scripts/plan/tracking-plan.html", "Scripts/plan/tracking-plan.md"]
KEYWORDS = set("""actor as associatedtype async await break case catch class continue default defer deinit do else enum
    extension fallthrough false fileprivate for func get guard if import in init inout internal is let nil open operator
    package precedencegroup private protocol public repeat rethrows return self set static struct subscript super switch
    throw throws true try type typealias var where while""".split())

# Types of Swift, and of the parts of Foundation that the templates' modules may import.
SWIFT_TYPES = set("""Actor Any AnyClass AnyHashable AnyObject Array ArraySlice AsyncSequence AsyncStream Bool Calendar
    CaseIterable Character ClosedRange Clock Codable CodingKey Collection Comparable ContinuousClock
    CustomStringConvertible Data Date DateFormatter Decimal Decodable Decoder Dictionary Double Duration Encodable Encoder
    Equatable Error ExpressibleByStringLiteral FileHandle FileManager Float Hashable Hasher Identifiable InputStream
    Instant Int Int8 Int16 Int32 Int64 InstantProtocol Iterator IteratorProtocol JSONDecoder JSONEncoder KeyPath
    Locale MainActor Measurement Mirror MutableCollection Never Notification NotificationCenter Number Numeric
    ObjectIdentifier OptionSet Optional OutputStream Pipe Process ProcessInfo Protocol Range RawRepresentable Regex
    Result Self Sendable Sequence Set Slice StaticString Stream String Substring SuspendingClock Task TaskGroup Thread
    TimeInterval TimeZone Timer Type UInt UInt8 UInt16 UInt32 UInt64 URL URLComponents URLRequest URLResponse
    URLSession UUID Unicode UnsafePointer UnsafeRawPointer UserDefaults Void Zip""".split())
TYPE = re.compile(r"^(?: *(?:public |package )|)(?:final |indirect )*(?:actor|class|enum|protocol|struct|typealias) (\w+)",
                  re.MULTILINE)


class Refusal(Exception):
    """The error for an impossible request. Its text states the reason and an alternative."""


class Change:
    """The planned files by path from the top level, with `None` for files to delete."""

    def __init__(self):
        self.files = {}
        # The changes by other tools, as they report them: a path and its future status.
        self.follows = {}

    def read(self, path):
        if path not in self.files:
            with open(path, encoding="utf-8") as file:
                self.files[path] = file.read()
        return self.files[path]

    def edit(self, path, text):
        self.read(path)
        self.files[path] = text

    def add_line(self, path, after, line):
        """Inserts a line after the one at an index."""
        lines = self.read(path).split("\n")
        lines.insert(after + 1, line)
        self.edit(path, "\n".join(lines))

    def lines(self, path):
        return self.read(path).split("\n")

    def take(self, path, line):
        """Removes a line, which must match exactly."""
        lines = self.lines(path)
        if line not in lines:
            raise Refusal(f"{path} has no line '{line.strip()}'; take it away by hand")
        lines.remove(line)
        self.edit(path, "\n".join(lines))

    def add_element(self, path, start, element):
        """Appends an element to the list that opens at an index. Its last element may lack a comma."""
        lines = self.lines(path)
        end = next(at for at in range(start + 1, len(lines)) if lines[at].strip().startswith("]"))
        if end > start + 1 and not lines[end - 1].endswith(","):
            lines[end - 1] += ","
        indentation = len(lines[end]) - len(lines[end].lstrip()) + 4
        lines.insert(end, " " * indentation + element + ",")
        self.edit(path, "\n".join(lines))

    def take_element(self, path, element):
        """Removes an element of a list."""
        lines = [line for line in self.lines(path) if line.strip().rstrip(",") == element]
        if len(lines) != 1:
            raise Refusal(f"{path} has no line '{element}'; take it away by hand")
        self.take(path, lines[0])

    def format(self):
        """Formats the Swift files with the repository's settings."""
        with tempfile.TemporaryDirectory() as folder:
            places = {}
            for path, text in self.files.items():
                if path.endswith(".swift") and text is not None:
                    places[path] = os.path.join(folder, path)
                    os.makedirs(os.path.dirname(places[path]), exist_ok=True)
                    with open(places[path], "w", encoding="utf-8") as file:
                        file.write(text)
            if places:
                subprocess.run(["swift", "format", "format", "--in-place", "--configuration", ".swift-format",
                                *places.values()], check=True)
            for path, place in places.items():
                with open(place, encoding="utf-8") as file:
                    self.files[path] = file.read()

    def status(self):
        """Returns the change as `git status --porcelain -uall` will show it if everything was committed before."""
        rows = dict(self.follows)
        for path, text in self.files.items():
            if text is None:
                rows[path] = " D" if is_tracked(path) else None
            elif not os.path.exists(path):
                rows[path] = "??"
            else:
                with open(path, encoding="utf-8") as file:
                    if file.read() != text:
                        rows[path] = " M"
        return [f"{mark} {path}" for path, mark in sorted(rows.items()) if mark]

    def write(self):
        for path, text in self.files.items():
            if text is None:
                os.remove(path)
                folder = os.path.dirname(path)
                while folder and not os.listdir(folder):
                    os.rmdir(folder)
                    folder = os.path.dirname(folder)
                continue
            if os.path.dirname(path):
                os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)


def is_tracked(path):
    return bool(subprocess.run(["git", "ls-files", "--", path], capture_output=True, text=True).stdout)


def words_of(name):
    """Returns the words of a name in upper camel case: `HTTPLog` has two."""
    return re.findall(r"[A-Z]+(?![a-z])[0-9]*|[A-Z][a-z0-9]*", name)


def lower_camel(name):
    first, *rest = words_of(name)
    return first.lower() + "".join(rest)


def check_name(kind, name):
    """Refuses invalid names, Swift's reserved names and names that Firebase would refuse."""
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
        raise Refusal(f"'{name}' is no name of {kind}: letters and digits, the first one a capital, such as Wishlist")
    if len(name) > 30:
        raise Refusal(f"'{name}' is too long: Firebase takes names of at most 40 characters, so at most 30 here")
    if lower_camel(name) in KEYWORDS:
        raise Refusal(f"'{lower_camel(name)}' is a word of Swift itself; choose another name")
    if name in SWIFT_TYPES:
        raise Refusal(f"'{name}' is a type of Swift or Foundation; choose another name")
    if module := types_here().get(name):
        raise Refusal(f"'{name}' is a type of {module}; choose another name")
    if words_of(name)[0].lower() in ("ga", "google", "firebase"):
        raise Refusal(f"'{name}': Firebase keeps names that begin with ga_, google_ and firebase_ to itself")


def types_here():
    """Returns the types that the modules declare at their top level or for others, with their modules."""
    found = {}
    for folder, _, names in os.walk("Modules"):
        for name in names:
            if name.endswith(".swift"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found.update(dict.fromkeys(TYPE.findall(file.read()), folder.split(os.sep)[1]))
    return found


def products():
    """Returns the products' prefixes and names, which their trackers declare."""
    found = {}
    for module in sorted(os.listdir("Modules")):
        path = f"Modules/{module}/{module}.swift"
        if re.fullmatch(r"[A-Z]{2}Tracker", module) and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                name = re.search(r"^/// The tracker of (.*?)[:.]", file.read(), re.MULTILINE)
            found[module[:2]] = name[1] if name else module[:2]
    return found


def expand(kind, values):
    """Returns the files of a template as paths and texts, with the values in place of `@Name@`."""
    with open(os.path.join(FOLDER, kind + ".txt"), encoding="utf-8") as file:
        text = file.read()
    text = re.sub("@([A-Za-z]+)@", lambda match: values[match[1]], text)
    parts = re.split(r"^=== (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def write_template(change, kind, values):
    known = types_here()
    for path, text in expand(kind, values).items():
        if os.path.exists(path):
            raise Refusal(f"{path} is there already")
        change.files[path] = text
        for name in TYPE.findall(text) if path.startswith("Modules") and path.endswith(".swift") else []:
            if module := known.get(name):
                raise Refusal(f"it would be called {name}, and that is a type of {module}; choose another name")


def check_new(module):
    for path in (f"Modules/{module}", f"Tests/{module}Tests"):
        if os.path.exists(path):
            raise Refusal(f"{path} is there already; another name, or Scripts/new remove {module} first")


def add_entry(change, layer, entry):
    """Inserts an entry into a layer of the manifest, sorted by name."""
    lines = change.lines(MANIFEST)
    start = lines.index(f"let {layer}: [Module] = [")
    at = start
    while lines[at + 1] != "]":
        if lines[at + 1].startswith("    .") and lines[at + 1].split('"')[1] > entry.split('"')[1]:
            break
        at += 1
    change.add_line(MANIFEST, at, f"    {entry}")


def add_import(change, path, module):
    """Inserts an import into a file, sorted by name."""
    lines = change.lines(path)
    imports = [(line.split()[-1], at) for at, line in enumerate(lines) if re.match(r"(public )?import \w+$", line)]
    smaller = [at for name, at in imports if name < module]
    change.add_line(path, max(smaller, default=imports[0][1] - 1), f"import {module}")


def add_row(change, before, row, prefix=None):
    """Inserts a row into the README's map: after the last one of a prefix, or else before a layer."""
    lines = change.lines(README)
    at = next(at for at, line in enumerate(lines) if line.startswith(f"| {before} |")) - 1
    if prefix:
        same = [n for n, line in enumerate(lines) if re.match(rf"\| .*\]\(Modules/{prefix}", line) and n <= at]
        at = same[-1] if same and not lines[same[-1]].startswith("| product trackers") else at
    change.add_line(README, at, row)


def add_catalog(change, product, catalog):
    """Appends a catalog to its product's catalogs."""
    lines = change.lines(PRODUCTS)
    at = next(at for at, line in enumerate(lines) if line.strip() == f'"{product}",')
    while "catalogs: [" not in lines[at]:
        at += 1
    if lines[at].strip() == "catalogs: []":
        lines[at:at + 1] = [lines[at].replace("[]", "["), " " * 12 + "]"]
        change.edit(PRODUCTS, "\n".join(lines))
    change.add_element(PRODUCTS, at, f".{catalog}")


def follow(change, module, schema=False, gone=False):
    """Records the files that other tools write when a module is added or removed."""
    paths = [f"Scripts/api/{module}.txt"] + ([f"Scripts/plan/{module}.schema.json"] if schema else [])
    for path in paths:
        if gone:
            change.follows[path] = " D" if is_tracked(path) else None
        else:
            change.follows[path] = "??"


def feature_values(product, name):
    words = " ".join(words_of(name)).lower()
    return {"Product": product, "ProductName": products()[product], "Feature": name, "Module": product + name,
            "words": words, "Words": words.capitalize(), "snake": words.replace(" ", "_"), "name": lower_camel(name),
            "module": product.lower() + name}


def product_values(prefix, name):
    return {"Product": prefix, "Module": prefix + "Tracker", "Name": name, "snake": name.lower().replace(" ", "_")}


def vendor_values(name):
    return {"Module": name + "Tracker", "Vendor": name, "vendor": lower_camel(name), "Name": " ".join(words_of(name))}


def event_values(module, name):
    """Returns the values of an event's template, or `None` if the module has no catalog with an owner."""
    catalog, keys = module_file(module, "EventCatalog+"), module_file(module, "EventParameter+")
    if not catalog:
        return None
    with open(catalog, encoding="utf-8") as file:
        owner = re.search(r"static let (\w+): EventOwner", file.read())
    snake = "_".join(words_of(module[2:]) + words_of(name)).lower()
    return owner and {"Module": module, "Event": module + name, "Words": snake.replace("_", " ").capitalize(),
                      "snake": snake, "module": owner[1],
                      "Keys": os.path.basename(keys or f"EventParameter+{module[2:]}.swift")}


def module_file(module, start):
    """Returns a module's file whose name starts with a text, or `None`."""
    folder = f"Modules/{module}"
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    return next((f"{folder}/{name}" for name in names if name.startswith(start)), None)


def feature(change, product, name):
    check_name("a feature", name)
    known = products()
    if product not in known:
        raise Refusal(f"there is no product {product}; there are {', '.join(known)} (Scripts/new product makes one)")
    module, words = product + name, feature_values(product, name)["words"]
    if name == "Tracker":
        raise Refusal(f"{module} is the product's own tracker")
    check_new(module)
    write_template(change, "feature", feature_values(product, name))
    add_entry(change, "features", f'.feature("{module}"),')
    add_import(change, PRODUCTS, module)
    add_catalog(change, product, product.lower() + name)
    page = f"[{module}](Modules/{module}/{module}.docc/{module}.md)"
    add_row(change, "testing", f"| | {page} | {known[product]}: its {words} |", product)
    follow(change, module, schema=True)
    change.follows.update({path: " M" for path in PLAN})
    return [f"Modules/{module}/{module}Viewed.swift is its first event: begin there",
            f"Scripts/demo --inspect --examples {module} shows its examples as they arrive"]


def product(change, prefix, name):
    if not re.fullmatch(r"[A-Z]{2}", prefix):
        raise Refusal(f"'{prefix}' is no prefix of a product: two capitals, such as XY")
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*( [A-Za-z0-9]+)*", name) or len(name) > 30:
        raise Refusal(f"'{name}' is no name of a product: at most 30 letters, digits and spaces, such as 'Dolap Lite'")
    module = prefix + "Tracker"
    check_new(module)
    others = [other for other in os.listdir("Modules") if other.startswith(prefix) and other[2:3].isupper()]
    if others:
        raise Refusal(f"{prefix} is taken: Modules/{others[0]} begins with it")
    write_template(change, "product", product_values(prefix, name))
    add_entry(change, "products", f'.product("{module}"),')
    add_import(change, PRODUCTS, module)
    lines = change.lines(PRODUCTS)
    end = len(lines) - 1 - lines[::-1].index("    ]")
    change.add_line(PRODUCTS, end - 1, f'''        ProductEntry(
            "{prefix}",
            tracker: {{ {module}(vendorService: $0) }},
            defaults: {prefix}Settings().awesomeTrackingDefaults,
            catalogs: []
        ),''')
    page = f"[{module}](Modules/{module}/{module}.docc/{module}.md)"
    add_row(change, "features", f"| | {page} | {name}: its services and their default parameters |")
    follow(change, module)
    return [f"Modules/{module}/{prefix}Settings.swift has its default parameters: begin there",
            f"Scripts/new feature {prefix} Name adds its first feature"]


def vendor(change, name):
    check_name("a vendor", name)
    if name.endswith("Tracker"):
        raise Refusal(f"the module's name ends in Tracker by itself: Scripts/new vendor {name.removesuffix('Tracker')}")
    module, constant = name + "Tracker", lower_camel(name)
    check_new(module)
    if re.search(rf"static let {constant}\b", change.read(COLLECTORS)) or constant in ("firebase", "awesomeTracking"):
        raise Refusal(f"{COLLECTORS} has a service '{constant}' already")
    values = vendor_values(name)
    write_template(change, "vendor", values)
    add_entry(change, "services", f'.vendor("{module}"),')
    add_import(change, VENDORS, module)
    change.edit(VENDORS, re.sub(r"(static let all = \[[^\]]*)\]", rf"\1, {constant}]", change.read(VENDORS)))
    put_block(change, VENDORS, "\nextension VendorEntry: Hashable", f"""
    /// {values['Name']}.
    public static let {constant} = VendorEntry(
        type: .{constant},
        rules: nil,
        collectorService: .{constant},
        makeTracker: {{ {module}(product: $0, delivery: $1) }},
        makeDestination: {{ product, receiver throws(ConfigurationError) in
            let {constant} = try {name}Configuration(endpoint: receiver.appending(path: "{constant}/events"), apiKey: "demo")
            return {name}Destination(product: product, configuration: {constant})
        }}
    )
""")
    put_block(change, COLLECTORS, None, f"""
    /// {values['Name']}; the event's id is the member `id` of a line.
    public static let {constant} = CollectorService(
        "{constant}",
        layout: .lines,
        id: ["id"],
        eventName: ["event"],
        matches: {{ $0.path.hasSuffix("/{constant}/events") }}
    )
""")
    page = f"[{module}](Modules/{module}/{module}.docc/{module}.md)"
    add_row(change, "product trackers", f"| | {page} | {values['Name']}, as one JSON line an event |")
    follow(change, module)
    for other in ("LoopbackCollector", "SuperApp"):
        change.follows[f"Scripts/api/{other}.txt"] = " M"
    change.follows.update({path: " M" for path in PLAN})
    return [f"Modules/{module}/{name}Destination.swift is its wire format: begin there",
            "Scripts/demo sends it what the journey's calls become, beside the other vendors"]


def put_block(change, path, before, block):
    """Appends a block to an extension, which ends before a text or with the file."""
    text = change.read(path)
    at = text.index(before) if before else len(text)
    change.edit(path, text[:at].removesuffix("}\n") + block + "}\n" + text[at:])


def take_block(change, path, constant):
    """Removes a constant, from its comment to the end of its call."""
    pattern = rf"\n    ///[^\n]*\n    public static let {constant} = \w+\(\n.*?\n    \)\n"
    text, count = re.subn(pattern, "", change.read(path), flags=re.DOTALL)
    if count != 1:
        raise Refusal(f"{path}: '{constant}' stands there in another form; take it away by hand")
    change.edit(path, text)


def event(change, module, name):
    check_name("an event", name)
    values = event_values(module, name)
    if not values:
        raise Refusal(f"there is no feature {module}: a module with an EventCatalog and its owner, such as DLListing")
    snake, catalog = values["snake"], module_file(module, "EventCatalog+")
    if len(snake) > 40:
        raise Refusal(f"'{snake}' is too long: Firebase takes names of at most 40 characters")
    write_template(change, "event", values)
    lines = change.lines(catalog)
    at = next(at for at, line in enumerate(lines) if line.strip() == "events: [")
    change.add_element(catalog, at, f"{module}{name}.self")
    page = f"Modules/{module}/{module}.docc/{module}.md"
    rows = [at for at, line in enumerate(change.lines(page)) if re.match(r"\| .*\| `" + module, line)]
    if rows:
        change.add_line(page, rows[-1], f"| method that tracks it | `{module}{name}` | `{snake}` | `{snake}` |")
    if "### Events" in change.read(page):
        links = [at for at, line in enumerate(change.lines(page)) if line.startswith("- ``" + module)]
        change.add_line(page, links[-1], f"- ``{module}{name}``")
    change.follows.update({path: " M" for path in PLAN + [f"Scripts/api/{module}.txt",
                                                          f"Scripts/plan/{module}.schema.json"]})
    return [f"Modules/{module}/{module}{name}.swift is the event: give it its fields",
            f"track it in Modules/{module}/{module}Presenter.swift, and expect it in the presenter's test"]


def users(module):
    """Returns other files that import a module, except for the lists that this tool edits."""
    found = subprocess.run(["git", "grep", "-lE", "--untracked", rf"^(public |package |@testable )?import {module}$",
                            "--", "Modules", "Apps", "Tests"], capture_output=True, text=True).stdout.split("\n")
    own = (f"Modules/{module}/", f"Tests/{module}Tests/", PRODUCTS, VENDORS)
    return [path for path in found if path and not path.startswith(own)]


def remove(change, name):
    """Removes a module or an event, with everything that this tool has written for it."""
    places = [path for path in subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", f"Modules/*/{name}.swift"],
        capture_output=True, text=True).stdout.split("\n") if path and os.path.exists(path)]
    if not os.path.isdir(f"Modules/{name}"):
        if not places:
            raise Refusal(f"there is no module and no event {name}")
        return remove_event(change, places[0].split("/")[1], name)
    if others := users(name):
        raise Refusal(f"{len(others)} file(s) still import {name}, such as {others[0]}")
    entry = next((line for line in change.lines(MANIFEST)
                  if re.match(rf'    \.(feature|product|vendor)\("{name}"', line)), None)
    if not entry or not entry.endswith("),"):
        raise Refusal(f"{MANIFEST} has no entry of one line for {name} as a feature, product or vendor")
    delete_files(change, [f"Modules/{name}", f"Tests/{name}Tests"])
    change.take(MANIFEST, entry)
    row = next((line for line in change.lines(README) if f"(Modules/{name}/" in line), "")
    if row.count("](Modules/") != 1 or not row.startswith("| |"):
        raise Refusal(f"{README}: the row of {name} names others as well, or a layer; take it away by hand")
    change.take(README, row)
    kind = entry.strip(" .").split("(")[0]
    {"feature": remove_feature, "product": remove_product, "vendor": remove_vendor}[kind](change, name)
    return []


def remove_feature(change, module):
    change.take(PRODUCTS, f"import {module}")
    change.take_element(PRODUCTS, f".{module[:2].lower()}{module[2:]}")
    change.edit(PRODUCTS, re.sub(r"catalogs: \[\s*\]", "catalogs: []", change.read(PRODUCTS)))
    follow(change, module, schema=True, gone=True)


def remove_product(change, module):
    change.take(PRODUCTS, f"import {module}")
    pattern = rf' {{8}}ProductEntry\(\n {{12}}"{module[:2]}",\n.*?\n {{8}}\),\n'
    text, count = re.subn(pattern, "", change.read(PRODUCTS), flags=re.DOTALL)
    if count != 1:
        raise Refusal(f"{PRODUCTS}: the entry of {module[:2]} stands there in another form; take it away by hand")
    change.edit(PRODUCTS, text)
    follow(change, module, gone=True)


def remove_vendor(change, module):
    constant = lower_camel(module.removesuffix("Tracker"))
    change.take(VENDORS, f"import {module}")
    take_block(change, VENDORS, constant)
    text = change.read(VENDORS)
    change.edit(VENDORS, re.sub(rf"(static let all = \[.*?)(, {constant}\b|\b{constant}, )", r"\1", text))
    take_block(change, COLLECTORS, constant)
    follow(change, module, gone=True)


def remove_event(change, module, name):
    catalog = module_file(module, "EventCatalog+")
    if not catalog:
        raise Refusal(f"{module} has no EventCatalog; take {name} away by hand")
    used = subprocess.run(["git", "grep", "-lw", "--untracked", name, "--", "Modules", "Apps", "Tests"],
                          capture_output=True, text=True).stdout.split("\n")
    page = f"Modules/{module}/{module}.docc/{module}.md"
    own = (f"Modules/{module}/{name}.swift", f"Tests/{module}Tests/{name}Tests.swift", catalog, page)
    if others := [path for path in used if path and path not in own]:
        raise Refusal(f"{others[0]} uses {name}")
    delete_files(change, [path for path in own[:2] if os.path.exists(path)])
    change.take_element(catalog, f"{name}.self")
    for line in [line for line in change.lines(page) if f"`{name}`" in line and line.startswith(("|", "- ``"))]:
        change.take(page, line)
    return []


def delete_files(change, places):
    """Deletes files, unless that would lose changes that were never committed and that this tool did not write."""
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *places],
                            capture_output=True, text=True).stdout.split("\n")
    for path in sorted(set(listed)):
        if path and os.path.exists(path):
            change.files[path] = None


def unsaved(change, written):
    """Returns the files to delete that were never committed and differ from this tool's output."""
    found = []
    for path, text in change.files.items():
        if text is not None:
            continue
        if is_tracked(path):
            if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", path]).returncode:
                found.append(path)
            continue
        with open(path, encoding="utf-8") as file:
            if written.files.get(path) != file.read():
                found.append(path)
    return found


def rewritten(name):
    """Returns the files that this tool would write for a module or an event, to compare before deleting."""
    change, known = Change(), products()
    if not os.path.isdir(f"Modules/{name}"):
        modules = [module for module in os.listdir("Modules") if os.path.exists(f"Modules/{module}/{name}.swift")]
        values = event_values(modules[0], name.removeprefix(modules[0])) if modules else None
        change.files = expand("event", values) if values else {}
    elif name[:2] in known and name[2:] == "Tracker":
        change.files = expand("product", product_values(name[:2], known[name[:2]]))
    elif name.endswith("Tracker"):
        change.files = expand("vendor", vendor_values(name.removesuffix("Tracker")))
    elif name[:2] in known:
        change.files = expand("feature", feature_values(name[:2], name[2:]))
    change.format()
    return change


def main(arguments):
    options = [word for word in arguments if word.startswith("-")]
    words = [word for word in arguments if not word.startswith("-")]
    if unknown := [option for option in options if option not in ("--dry-run", "--yes", "--files")]:
        raise Refusal(f"no option {unknown[0]}; --help lists them")
    kinds = {"feature": (feature, 2), "product": (product, 2), "vendor": (vendor, 1), "event": (event, 2),
             "remove": (remove, 1)}
    if not words or words[0] not in kinds:
        raise Refusal("the first word is feature, product, vendor, event or remove; --help shows examples")
    make, count = kinds[words[0]]
    if len(words) - 1 != count:
        raise Refusal(f"{words[0]} takes {count} word{'s' if count > 1 else ''}; --help shows it")
    change = Change()
    hints = make(change, *words[1:])
    change.format()
    if "--dry-run" in options:
        print("\n".join(change.status()))
        return
    if words[0] == "remove" and "--yes" not in options and (lost := unsaved(change, rewritten(words[1]))):
        raise Refusal(f"no commit has {lost[0]}" + (f" and {len(lost) - 1} more" if len(lost) > 1 else "")
                      + "; --yes deletes it all the same")
    print("\n".join(change.status()))
    change.write()
    for hint in hints:
        print(hint)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refusal as refusal:
        print(f"new: {refusal}", file=sys.stderr)
        sys.exit(64)
