#!/usr/bin/env bash
# Each fault of Scripts/simulate mutations has its place in the engine.
source "$(dirname "$0")/report.bash"

report 'a planted fault has no place in the engine' < <(python3 Scripts/measure/mutations.py --check 2>&1)
finish
