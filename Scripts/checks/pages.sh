#!/usr/bin/env bash
# On the README and the pages, every path, link and named test exists, and code is code of this repository. Each script
# prints its help, and TheScripts.md names it.
source "$(dirname "$0")/report.bash"

# Prints missing paths on the pages: those in backticks, relative to the top level (a command's first argument counts),
# and links. A page may name files of the feature that it makes with `Scripts/new`.
dead_paths() {
    local page path made
    files README.md 'Modules/*.md' 'Scripts/site/*.md' | while IFS= read -r page; do
        made=$(sed -nE 's/^Scripts\/new feature ([A-Z]+) ([A-Za-z0-9]+)/\1\2/p' "$page")
        { grep -oE '`(Modules|Apps|Tests|Scripts|\.ci)/[A-Za-z0-9_./+-]*[` ]' "$page" || true; } | tr -d '` ' |
            while IFS= read -r path; do
                [[ -e $path || (-n $made && $path == */"$made"*) ]] || echo "$page: $path"
            done
        { grep -oE '\]\([^)#: ]+[)#]' "$page" || true; } | sed -E 's/^\]\(//; s/[)#]$//' |
            while IFS= read -r path; do [[ -e $(dirname "$page")/$path || -e $(dirname "$page")/$path.svg ]] || echo "$page: $path"; done
    done
}
report 'every path exists' < <(dead_paths)
report 'code on a page is code of a Swift file, whatever its indentation' < <(
    files README.md 'Modules/*.md' 'Scripts/site/*.md' 'Tests/*.swift' 'Apps/*.swift' 'Modules/*.swift' |
        tr '\n' '\0' | xargs -0 awk -f Scripts/checks/snippets.awk
)

# Prints the tests that the page on security names and that do not exist. A listed name is the end of a test's name
# before its arguments.
unknown_tests() {
    local page=Modules/Delivery/EventDelivery/EventDelivery.docc/Security.md name
    sed -n '/^## Guarantees/,/^## Not guaranteed/p' "$page" | awk -F '|' 'NR > 4 && NF > 3 { print $3 }' |
        grep -oE '`[^`]+`' | tr -d '`' | while IFS= read -r name; do
            grep -rqF --include='*.swift' -- "$name\`(" Tests || echo "$page: $name"
        done
}
report 'each test that the page on security names exists' < <(unknown_tests)

# Prints scripts that TheScripts.md does not name, and those that do not print how they are called.
undescribed_scripts() {
    local script
    for script in Scripts/*; do
        [[ -f $script && -x $script ]] || continue
        grep -qF "\`$script\`" Scripts/site/Guide.docc/TheScripts.md || echo "$script: no row"
        [[ $(cd Modules && timeout 5 "../$script" --help 2>&1) == [A-Z]*"$script"* ]] || echo "$script: no help"
    done
}
report 'each script has a row in TheScripts.md, and prints how it is called' < <(undescribed_scripts)
finish
