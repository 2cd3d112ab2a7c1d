#!/usr/bin/env bash
# Tests do not sleep, and every module has tests; what ends in Testing is tested by its use.
source "$(dirname "$0")/report.bash"

report 'tests wait for what they expect and never sleep' < <(
    code_matching '((Task|Thread|Clock\(\))\.sleep|(^|[^A-Za-z0-9_.])u?sleep|nanosleep)\(' Tests | grep -v 'func sleep('
)
report 'a module has its tests in Tests/<Module>Tests' < <(
    for module in $(modules); do
        [[ $module == *Testing || -d Tests/${module}Tests ]] || echo "$module"
    done
)
finish
