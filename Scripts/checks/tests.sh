#!/usr/bin/env bash
# Tests do not sleep, and every module has tests. Modules whose name ends in Testing are tested by their use.
source "$(dirname "$0")/report.bash"

report 'tests wait for what they expect and never sleep' < <(
    code_matching '((Task|Thread|Clock\(\))\.sleep|(^|[^A-Za-z0-9_.])u?sleep|nanosleep)\(' Tests | grep -v 'func sleep('
)
report 'a module has its tests in Tests/<Shelf>/<Module>Tests' < <(
    for module in $(modules); do
        [[ $module == *Testing || -d $(echo Tests/*/"${module}Tests") ]] || echo "$module"
    done
)

# Prints the tests that the page on security names and that do not exist. A listed name is the end of a test's name
# before its arguments.
unknown_tests() {
    local page=Modules/Delivery/EventDelivery/EventDelivery.docc/Security.md
    sed -n '/^## Guarantees/,/^## Not guaranteed/p' "$page" | awk -F '|' 'NR > 4 && NF > 3 { print $3 }' |
        grep -oE '`[^`]+`' | tr -d '`' | while IFS= read -r name; do
            grep -rqF --include='*.swift' -- "$name\`(" Tests || echo "$page: $name"
        done
}
report 'each test that the page on security names exists' < <(unknown_tests)
finish
