#!/usr/bin/env bash
# The README and the module pages: every module has a short page and a row in the map, every path exists, and the code
# that they show is code of this repository.
source "$(dirname "$0")/report.bash"

pages() {
    files README.md 'Modules/*.md'
}

# The paths that a page names: in backticks from the top level (a command's first word counts), in links from itself.
dead_paths() {
    local page path
    pages | while IFS= read -r page; do
        { grep -oE '`(Modules|Apps|Tests|Scripts|\.ci)/[A-Za-z0-9_./+-]*[` ]' "$page" || true; } | tr -d '` ' |
            while IFS= read -r path; do [[ -e $path ]] || echo "$page: $path"; done
        { grep -oE '\]\([^)#: ]+[)#]' "$page" || true; } | sed -E 's/^\]\(//; s/[)#]$//' |
            while IFS= read -r path; do [[ -e $(dirname "$page")/$path ]] || echo "$page: $path"; done
    done
}

report 'a module has a page, Modules/<Module>/<Module>.docc/<Module>.md' < <(
    for module in $(modules); do [[ -f Modules/$module/$module.docc/$module.md ]] || echo "$module"; done
)
report "a module's own page has at most 40 lines, an article at most 80" < <(
    files 'Modules/*.md' | tr '\n' '\0' | xargs -0 -r awk '
        FNR == 1 { count = split(FILENAME, part, "/"); most = part[count] == part[2] ".md" ? 40 : 80 }
        FNR == most + 1 { print FILENAME }'
)
report 'the README is two screens: at most 120 lines, module rows not counted' < <(
    awk '!/\(Modules\/.*\.docc\// && ++lines == 121 { print FILENAME }' README.md
)
report 'the README links to every page' < <(
    for module in $(modules); do
        grep -q "(Modules/$module/$module.docc/$module.md)" README.md || echo "$module"
    done
)
report 'every path exists' < <(dead_paths)
report 'code in a page is code of a Swift file, whatever its indentation' < <(
    { pages; files 'Tests/*.swift' 'Apps/*.swift' 'Modules/*.swift'; } | tr '\n' '\0' |
        xargs -0 awk -f Scripts/checks/snippets.awk
)
finish
