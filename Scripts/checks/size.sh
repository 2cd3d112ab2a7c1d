#!/usr/bin/env bash
# Limits the size of the delivery engine: Scripts/checks/size.sh [--table]
#
# Fails if a module of Modules/Delivery, or all of them, have more code lines than their limit, or if more files of a
# module than its limit all need each other. The limits are in Scripts/checks/size.py, which describes how each value is
# counted. They only fall.
#   --table  prints each value with its limit and an earlier value; a failed check prints the table too
source "$(dirname "$0")/../bash/help.bash"

options 'table' "$@"
set --
source "$(dirname "$0")/report.bash"

[[ -z $table ]] || exec python3 -B Scripts/checks/size.py --table
report 'the delivery engine is within its limits' < <(python3 -B Scripts/checks/size.py 2>&1)
finish
