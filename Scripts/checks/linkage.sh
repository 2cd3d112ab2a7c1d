#!/usr/bin/env bash
# The demo, once it is built for release, holds no symbol of a module for tests. On Linux no app links FoundationNetworking:
# some answers end a process in it.
source "$(dirname "$0")/report.bash"

demo=.build/release/TrackerDemo
report 'the shipped demo links no module for tests' < <(
    for module in $(modules); do
        if [[ $module =~ (Testing|^TrackingPlan)$ && -f $demo ]] && grep -aqF "${#module}$module" "$demo"; then echo "$module"; fi
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
finish
