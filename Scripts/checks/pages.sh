#!/usr/bin/env bash
# The README and the module pages: every module has a page and a row in the map, every path exists, and their code is
# code of this repository.
source "$(dirname "$0")/report.bash"

pages() {
    files README.md 'Modules/*.md'
}

# Prints the articles for people who use or change the library, without the page of each module.
articles() {
    local page module
    files 'Modules/*.md' | while IFS= read -r page; do
        module=${page%/*.docc/*} module=${module##*/}
        [[ $(basename "$page" .md) == "$module" ]] || printf '%s\n' "$page"
    done
}

# Prints the modules that a page creates with `Scripts/new`.
made() {
    sed -nE "s/^Scripts\/new feature ([A-Z]+) ([A-Za-z0-9]+)/\1\2/p; s/^Scripts\/new (product|vendor) ([A-Za-z0-9]+).*/\2Tracker/p" "$1"
}

# Prints missing paths on the pages: those in backticks, relative to the top level (a command's first argument counts),
# and links.
dead_paths() {
    local page path module
    pages | while IFS= read -r page; do
        local new=" $(made "$page" | tr '\n' ' ') "
        { grep -oE '`(Modules|Apps|Tests|Scripts|\.ci)/[A-Za-z0-9_./+-]*[` ]' "$page" || true; } | tr -d '` ' |
            while IFS= read -r path; do
                module=${path#*/*/} module=${module%%/*}
                [[ -e $path || $new == *" ${module%Tests} "* ]] || echo "$page: $path"
            done
        { grep -oE '\]\([^)#: ]+[)#]' "$page" || true; } | sed -E 's/^\]\(//; s/[)#]$//' |
            while IFS= read -r path; do [[ -e $(dirname "$page")/$path ]] || echo "$page: $path"; done
    done
}

report 'a module has a page, Modules/<Shelf>/<Module>/<Module>.docc/<Module>.md' < <(
    for module in $(modules); do [[ -f $(echo Modules/*/"$module/$module.docc/$module.md") ]] || echo "$module"; done
)
report 'the README links to every page' < <(
    for module in $(modules); do
        grep -q "(Modules/[A-Za-z]*/$module/$module.docc/$module.md)" README.md || echo "$module"
    done
)
report 'every path exists' < <(dead_paths)
report 'an article stands in the guide, Scripts/site/Guide.docc/Guide.md' < <(
    articles | while IFS= read -r page; do
        module=${page%/*.docc/*} module=${module##*/}
        grep -qF "<doc:/$module/$(basename "$page" .md)>" Scripts/site/Guide.docc/Guide.md || echo "$page"
    done
)
report 'TheScripts.md says what each script does' < <(
    for script in Scripts/*; do
        [[ ! -f $script || ! -x $script ]] ||
            grep -qF "\`$script\`" Modules/Core/CoreTracker/CoreTracker.docc/TheScripts.md || echo "$script"
    done
)
# Prints the places of code that is in no Swift file of the given folders. Reads the pages from stdin.
strange_code() {
    { cat; files "$@"; } | tr '\n' '\0' | xargs -0 awk -f Scripts/checks/snippets.awk
}

report 'code in a page is code of a Swift file, whatever its indentation' < <(
    pages | strange_code 'Tests/*.swift' 'Apps/*.swift' 'Modules/*.swift'
)
report 'code in an article is code of a package from outside, in Tests/Fixtures' < <(
    articles | strange_code 'Tests/Fixtures/*.swift'
)
finish
