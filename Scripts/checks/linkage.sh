#!/usr/bin/env bash
# The demo, once it is built for release, holds no symbol of a module for tests.
source "$(dirname "$0")/report.bash"

demo=.build/release/TrackerDemo
report 'the shipped demo links no module for tests' < <(
    for module in $(modules); do
        if [[ $module =~ (Testing|^TrackingPlan)$ && -f $demo ]] && grep -aqF "${#module}$module" "$demo"; then echo "$module"; fi
    done
)
finish
