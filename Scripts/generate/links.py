"""Makes the links of pages work on the site: links.py prepare CATALOG FOLDER, links.py finish SITE. Scripts/docs runs it.

The pages link to the files of other pages, so a repository browser can follow the links. `prepare` copies a catalog and
turns each such link into one that DocC resolves, or into the address on the site if the page is in another module.
`finish` adds the titles to links with an address, and fails if there is no such page.
"""

import glob
import json
import os
import re
import shutil
import sys

LINK = re.compile(r"\[([^\]\n]+(?:\n[^\]\n]+)*)\]\(([^)#: ]+\.md)(?:#[^)]*)?\)")


def place(path):
    """Returns the catalog and the name of a page, such as `EventDelivery` and `Privacy`, or `None`."""
    match = re.search(r"(?:^|/)(\w+)\.docc/(?:[^/]+/)*(\w+)\.md$", path)
    return match.groups() if match else None


def prepare(catalog, folder):
    shutil.copytree(catalog, folder)
    own = os.path.basename(catalog.rstrip("/")).removesuffix(".docc")
    for copy in glob.glob(f"{folder}/**/*.md", recursive=True):
        original = os.path.join(catalog, os.path.relpath(copy, folder))

        def link(match):
            found = place(os.path.normpath(os.path.join(os.path.dirname(original), match[2])))
            if not found:
                return match[1]  # a page that is not on the site, such as the README
            module, page = found
            if module == own:
                return f"[{match[1]}](doc:{page})"
            path = f"/{module}" if page == module else f"/{module}/{page}"
            # The guide is converted last, when all modules are known.
            return f"[{match[1]}](doc:{path})" if own == "Guide" else f"[{match[1]}](/documentation{path.lower()})"

        with open(copy, encoding="utf-8") as file:
            text = file.read()
        with open(copy, "w", encoding="utf-8") as file:
            file.write(LINK.sub(link, text))


def nodes(value):
    """Yields the references in a page."""
    if isinstance(value, dict):
        if value.get("type") == "reference" and str(value.get("identifier")).startswith("/documentation/"):
            yield value["identifier"]
        for child in value.values():
            yield from nodes(child)
    elif isinstance(value, list):
        for child in value:
            yield from nodes(child)


def finish(site):
    dead = []
    for path in glob.glob(f"{site}/data/documentation/**/*.json", recursive=True):
        with open(path, encoding="utf-8") as file:
            page = json.load(file)
        links = set(nodes(page))
        for link in links:
            target = f"{site}/data{link}.json"
            if not os.path.exists(target):
                dead.append(f"{os.path.relpath(path, site)}: {link}")
                continue
            with open(target, encoding="utf-8") as file:
                title = json.load(file)["metadata"]["title"]
            page["references"][link] = {
                "type": "link", "identifier": link, "title": title, "url": link,
                "titleInlineContent": [{"type": "text", "text": title}],
            }
        if links:
            with open(path, "w", encoding="utf-8") as file:
                json.dump(page, file)
    if dead:
        sys.exit("docs: pages without a target of a link:\n" + "\n".join(sorted(dead)))


{"prepare": prepare, "finish": finish}[sys.argv[1]](*sys.argv[2:])
