#!/usr/bin/env bash
# The manifest has no package dependencies. The visible top level contains exactly six names.
source "$(dirname "$0")/report.bash"

report 'no package dependencies' < <(grep -nE '\.package\(' Package.swift)
report 'the top level is Package.swift README.md Modules Apps Tests Scripts' < <(
    files . | cut -d/ -f1 | sort -u | grep -vE '^(\..*|Package\.swift|README\.md|Modules|Apps|Tests|Scripts)$'
)
finish
