#!/usr/bin/env bash
# Built programs contain only the modules that they need; a program that is not built is not checked. On Linux no app
# links FoundationNetworking, because some responses crash its process, and no tracker links all of Foundation, which
# costs a server start-up time and memory.
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
    linked .build/release/TrackerDemo $(modules | grep -E 'Testing$|Simulation$|^TrackingPlan$')
)
report 'an app of another package links nothing of the inspector and the queue tool' < <(
    linked .build/outside/debug/OutsideVendor EventInspector InspectorClient QueueTool
)
[[ $(uname -s) == Linux ]] || finish
report 'no app that is built for release links FoundationNetworking' < <(
    for app in Apps/*/; do
        built=.build/release/$(basename "$app")
        if [[ -f $built ]] && grep -aqE 'libFoundationNetworking|20FoundationNetworking' "$built"; then echo "$built"; fi
    done
)
# AppTracking and SuperApp, which imports it, are for apps, and the others are tools.
apps_and_tools='^(AppTracking|SuperApp|EventInspector|InspectorClient|LoopbackCollector|OptionParsing|TrackingPlan|.*Testing|.*Simulation)$'
report 'no tracker, service or transport links all of Foundation' < <(
    modules | grep -vE "$apps_and_tools" | while IFS= read -r module; do
        objects=(".build/release/$module.build"/*.o)
        if [[ -f ${objects[0]} ]] && grep -aqE -- '-lFoundation([^A-Za-z]|$)' "${objects[@]}"; then echo "$module"; fi
    done
)
finish
