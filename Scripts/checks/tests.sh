#!/usr/bin/env bash
# Tests do not sleep, and every module has tests, file by file. Modules whose name ends in Testing are tested by their
# use.
source "$(dirname "$0")/report.bash"

report 'tests wait for what they expect and never sleep' < <(
    code_matching '((Task|Thread|Clock\(\))\.sleep|(^|[^A-Za-z0-9_.])u?sleep|nanosleep)\(' Tests | grep -v 'func sleep('
)
report 'a module has its tests in Tests/<Module>Tests' < <(
    for module in $(modules); do
        [[ $module == *Testing || -d Tests/${module}Tests ]] || echo "$module"
    done
)

# Prints the files of modules that contain decisions or loops. Other files are tested through their users. Files for
# Apple's platforms only are left out: Scripts/check-apple type-checks them, and no test here can run them.
behaviour() {
    local file
    deciding | while IFS= read -r file; do
        [[ $(head -n 1 "$file") =~ ^#if\ (canImport\((UIKit|SwiftUI|Network)\)|os\((iOS|macOS)\)) ]] || printf '%s\n' "$file"
    done
}

deciding() {
    code Modules | grep -vE '^Modules/[^/]*Testing/' | sed -E 's/[(,] *(for|if|while|in) / /g' |
        grep -E '^[^:]*:[0-9]+:(.*[^A-Za-z0-9_.])?(if|guard|switch|for|while|catch)([^A-Za-z0-9_]|$)' | cut -d: -f1 | sort -u
}

# Prints such files without a test file, unless they are few. A file named Type+Topic is tested in TypeTopicTests or
# TypeTests, in any folder.
unmirrored() {
    local file name module missing=() count=0 tests
    tests=" $(files 'Tests/*Tests.swift' | sed -E 's|^Tests/([^/]*)/(.*/)?|\1/|; s/[+.]//g' | tr '\n' ' ')"
    while IFS= read -r file; do
        count=$((count + 1))
        module=${file#Modules/} module=${module%%/*} name=$(basename "$file" .swift)
        [[ $tests == *" ${module}Tests/${name//[+.]/}Testsswift "* || $tests == *" ${module}Tests/${name%%+*}Testsswift "* ]] ||
            missing+=("$file")
    done
    if ((${#missing[@]} * 100 > count * 20)); then printf '%s\n' "${missing[@]}"; fi
}

report 'four of five files that decide something have their test file, Tests/<Module>Tests/…/<File>Tests.swift' < <(
    behaviour | unmirrored
)

# Prints the tests that the page on security names and that do not exist. A listed name is the end of a test's name
# before its arguments.
unknown_tests() {
    local page=Modules/EventDelivery/EventDelivery.docc/Security.md
    sed -n '/^## What is promised/,/^## What is not/p' "$page" | awk -F '|' 'NR > 5 && NF > 3 { print $3 }' |
        grep -oE '`[^`]+`' | tr -d '`' | while IFS= read -r name; do
            grep -rqF --include='*.swift' -- "$name\`(" Tests || echo "$page: $name"
        done
}
report 'each test that the page on security names exists' < <(unknown_tests)
finish
