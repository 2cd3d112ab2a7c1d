#!/usr/bin/env bash
# The manifest has no package dependencies and stays short; the visible top level holds six names and no other.
source "$(dirname "$0")/report.bash"

report 'no package dependencies' < <(grep -nE '\.package\(' Package.swift)
report 'at most 250 lines' < <(awk 'END { if (NR > 250) print "Package.swift has " NR }' Package.swift)
report 'the top level is Package.swift README.md Modules Apps Tests Scripts' < <(
    files . | cut -d/ -f1 | sort -u | grep -vE '^(\..*|Package\.swift|README\.md|Modules|Apps|Tests|Scripts)$'
)
finish
