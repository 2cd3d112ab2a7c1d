#!/usr/bin/env bash
# What is built holds only what it asks for: the demo, built for release, no symbol of a module for tests; an app of
# another package nothing of the inspector; and no module but those for tests brings the inspector with it. On
# Linux no app links FoundationNetworking: some answers end a process in it.
source "$(dirname "$0")/report.bash"

# Prints the modules of a list that a built program has symbols of.
linked() {
    local program=$1 module
    shift
    [[ ! -f $program ]] || for module in "$@"; do
        if grep -aqF "${#module}$module" "$program"; then echo "$module in $program"; fi
    done
}

report 'the shipped demo links no module for tests' < <(
    for module in $(modules); do
        if [[ $module =~ (Testing|^TrackingPlan)$ ]]; then linked .build/release/TrackerDemo "$module"; fi
    done
)

report 'FoundationNetworking is imported behind #if canImport(Darwin) || URLSESSION_ON_LINUX' < <(
    code_matching '(^|[^A-Za-z0-9_.])import +FoundationNetworking' Modules Apps | cut -d: -f1 | sort -u | while IFS= read -r file; do
        [[ $(head -n 1 "$file") == '#if canImport(Darwin) || URLSESSION_ON_LINUX' ]] || echo "$file"
    done
)

report 'no app that is built for release links FoundationNetworking' < <(
    [[ $(uname -s) != Linux ]] || for app in Apps/*/; do
        built=.build/release/$(basename "$app")
        if [[ -f $built ]] && grep -aqE 'libFoundationNetworking|20FoundationNetworking' "$built"; then echo "$built"; fi
    done
)

inspector=(EventInspector InspectorClient)
report 'an app that does not ask links nothing of the inspector' < <(
    linked .build/fixtures/debug/OutsideVendor "${inspector[@]}"
)
report 'no module brings the inspector with it' < <(
    code_matching 'import +(EventInspector|InspectorClient)($|[^A-Za-z])' Modules
)
finish
