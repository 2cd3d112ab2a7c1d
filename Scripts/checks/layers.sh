#!/usr/bin/env bash
# Dependencies point downward only: imports and the manifest's dependencies stay within the modules that a layer may
# use.
source "$(dirname "$0")/report.bash"

imports() {
    code Modules | sed -nE 's/^([^:]+:[0-9]+):([^:]* )?import +((struct|class|enum|protocol|func|var|let|typealias) +)?([A-Za-z0-9_]+).*/\1:\5/p'
}

report 'dependencies point down only' < <(imports | awk -f Scripts/checks/layers.awk Package.swift -)
finish
