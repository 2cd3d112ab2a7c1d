#!/usr/bin/env bash
# The manifest has no package dependencies and at most 150 lines besides its entries. The visible top level contains
# exactly six names.
source "$(dirname "$0")/report.bash"

report 'no package dependencies' < <(grep -nE '\.package\(' Package.swift)
# An entry is indented once and begins with a dot. Its further lines are indented more.
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
