#!/usr/bin/env bash
# On the README and the pages, every path, link, named test and function of an entry exists, and each block of code is
# in a Swift file of this repository. Each command prints its help, and TheScripts.md names it.
source "$(dirname "$0")/report.bash"

# Prints missing paths on the pages: those in backticks, relative to the top level (a command's first argument counts),
# and links. A page may name files of the feature that it makes with `Scripts/new`.
dead_paths() {
    local page path made
    files README.md 'Modules/*.md' | while IFS= read -r page; do
        made=$(sed -nE 's/^Scripts\/new feature ([A-Z]+) ([A-Za-z0-9]+)/\1\2/p' "$page")
        # The files of the quick start and of the page on typed events are those of the reader's package.
        { sed -E '/^## (Quick start|The files)/,/^## (Two commands|Next)/d' "$page" | grep -oE '`(Modules|Apps|Tests|Scripts|\.ci)/[A-Za-z0-9_./+-]*[` ]' || true; } | tr -d '` ' |
            while IFS= read -r path; do
                [[ -e $path || (-n $made && $path == */"$made"*) ]] || echo "$page: $path"
            done
        { grep -oE '\]\([^)#: ]+[)#]' "$page" || true; } | sed -E 's/^\]\(//; s/[)#]$//' |
            while IFS= read -r path; do [[ -e $(dirname "$page")/$path || -e $(dirname "$page")/$path.svg ]] || echo "$page: $path"; done
    done
}
report 'every path exists' < <(dead_paths)
report 'code on a page is code of a Swift file, whatever its indentation' < <(
    files README.md 'Modules/*.md' 'Tests/*.swift' 'Apps/*.swift' 'Modules/*.swift' |
        tr '\n' '\0' | xargs -0 awk -f Scripts/checks/snippets.awk
)

# Prints the tests that a page names and that do not exist: in the tables of the pages on security and limits, and in quotation marks
# after their suite. A name can be the end of a test's name.
unknown_tests() {
    local security=Modules/Delivery/EventDelivery/EventDelivery.docc/Security.md name
    {
        sed -n '/^## Guarantees/,/^## Not guaranteed/p' "$security" | awk -F '|' 'NR > 4 && NF > 3 { print $3 }' |
            grep -oE '`[^`]+`' | tr -d '`'
        awk -F '|' '/^\|/ { print $(NF - 1) }' "$(dirname "$security")/Limits.md" | grep -oE '`[^`]+`' | tr -d '`'
        files 'Modules/*.md' | tr '\n' '\0' | xargs -0 grep -ohE 'Tests`: "[^"]+"' | cut -d '"' -f 2
    } | while IFS= read -r name; do grep -rqF --include='*.swift' -- "$name\`(" Tests || echo "$name"; done
}
report 'each test that a page names exists' < <(unknown_tests)

# Prints the entries of the page on the path of an event whose file does not exist, or does not declare the function.
unknown_functions() {
    local line file name declaration path
    grep -E '^[0-9]+\.' Modules/Delivery/EventDelivery/EventDelivery.docc/OneEvent.md | while IFS= read -r line; do
        IFS='`' read -r _ file _ name _ <<<"$line"
        declaration="(func|var|let|case) $name([^A-Za-z0-9_]|$)"
        [[ $name != init ]] || declaration='^ +([a-z]+ )*init[?(]'
        path=$(files "Modules/*/$file")
        [[ $file == *.swift && -f $path ]] && grep -qE "$declaration" "$path" || echo "${line%%:*}"
    done
}
report 'each function on the path of an event is in its file' < <(unknown_functions)

# Prints commands that TheScripts.md does not name, and those that do not print how they are called.
undescribed_scripts() {
    local script
    for script in Scripts/* Scripts/checks/*; do
        [[ -f $script && -x $script && $script != *.* ]] || continue
        grep -qF "\`$script\`" Modules/Guide.docc/TheScripts.md || echo "$script: no row"
        [[ $(cd Modules && "../$script" --help 2>&1) == [A-Z]*"$script"* ]] || echo "$script: no help"
    done
}
report 'each command has a row in TheScripts.md, and prints how it is called' < <(undescribed_scripts)
finish
