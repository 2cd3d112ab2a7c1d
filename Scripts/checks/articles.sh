#!/usr/bin/env bash
# The packages in Tests/Fixtures can be written from the README and the articles alone: these explain every name of the
# library's API that the packages use.
source "$(dirname "$0")/report.bash"

# Prints the identifiers in code that have at least three characters.
words() {
    cut -d: -f3- | grep -oE '[A-Za-z_][A-Za-z0-9_]{2,}' | sort -u
}

# Prints the names of declarations and the labels of their parameters.
declared() {
    grep -oE '(func|var|let|case|struct|class|enum|protocol|actor|typealias) +`?[A-Za-z_]+|[({,] ?[a-z][A-Za-z]+( [a-z]+)?:' |
        sed -E 's/^(func|var|let|case|struct|class|enum|protocol|actor|typealias) +`?//; s/^[({,] ?//; s/( [a-z]+)?:$//' | sort -u
}

# Prints the API names that a package uses and does not declare, except for two that Swift declares as well.
used() {
    comm -12 <(code "$1" | words) <(cat Scripts/api/*.txt | declared) |
        comm -23 - <(code "$1" | cut -d: -f3- | declared) | grep -vxE 'contains|index'
}

explained=(README.md)
while IFS= read -r page; do
    module=${page%/*.docc/*} module=${module##*/}
    [[ $(basename "$page" .md) == "$module" ]] || explained+=("$page")
done < <(files 'Modules/*.md')

for package in OutsideProduct OutsideVendor; do
    report "what Tests/Fixtures/$package names stands in the README or an article" < <(
        used "Tests/Fixtures/$package" | while IFS= read -r name; do
            grep -qwF -- "$name" "${explained[@]}" || echo "$name"
        done
    )
done
finish
