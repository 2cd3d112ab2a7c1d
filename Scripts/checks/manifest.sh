#!/usr/bin/env bash
# The manifest has no package dependencies and stays short but for an entry a module; the visible top level holds six
# names and no other.
source "$(dirname "$0")/report.bash"

report 'no package dependencies' < <(grep -nE '\.package\(' Package.swift)
# An entry is indented once and begins with a dot; its further lines are indented deeper.
report 'at most 150 lines, the entries of modules and apps not counted' < <(
    awk '
        /^    \.[a-z]+\(/ { inside = 1 }
        !inside { lines++ }
        inside && /^    (\..*)?\),?$/ { inside = 0 }
        END { if (lines > 150) print "Package.swift has " lines }' Package.swift
)
report 'the top level is Package.swift README.md Modules Apps Tests Scripts' < <(
    files . | cut -d/ -f1 | sort -u | grep -vE '^(\..*|Package\.swift|README\.md|Modules|Apps|Tests|Scripts)$'
)
finish
