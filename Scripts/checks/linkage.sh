#!/usr/bin/env bash
# Built programs contain only the modules that they need. The demo's release build contains no symbol of a test module.
# An app of another package contains nothing of the inspector and the queue tool, and no module depends on these. On
# Linux no app links FoundationNetworking, because some responses crash its process. Trackers do not link all of
# Foundation there if FoundationEssentials suffices, since that costs a server start-up time and memory.
source "$(dirname "$0")/report.bash"

# Prints the modules of a list whose symbols a built program contains.
linked() {
    local program=$1 module
    shift
    [[ ! -f $program ]] || for module in "$@"; do
        if grep -aqF "${#module}$module" "$program"; then echo "$module in $program"; fi
    done
}

report 'the shipped demo links no module for tests' < <(
    for module in $(modules); do
        if [[ $module =~ (Testing|Simulation|^TrackingPlan)$ ]]; then linked .build/release/TrackerDemo "$module"; fi
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

apple_and_tools='^(AppTracking|EventInspector|InspectorClient|LoopbackCollector|TrackingPlan|.*Testing|.*Simulation)$'
report 'no tracker, service or transport asks for whole Foundation on Linux' < <(
    [[ $(uname -s) != Linux ]] || for module in $(modules); do
        objects=(".build/release/$module.build"/*.o)
        if [[ ! $module =~ $apple_and_tools && -f ${objects[0]} ]] && grep -aqE -- '-lFoundation([^A-Za-z]|$)' "${objects[@]}"; then
            echo "$module"
        fi
    done
)

tools=(EventInspector InspectorClient QueueTool)
report 'an app that does not ask links nothing of the inspector and the queue tool' < <(
    linked .build/fixtures/debug/OutsideVendor "${tools[@]}"
)
report 'no module brings the inspector or the queue tool with it' < <(
    code_matching 'import +(EventInspector|InspectorClient|QueueTool)($|[^A-Za-z])' Modules
)
finish
