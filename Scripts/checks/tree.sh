#!/usr/bin/env bash
# Nothing in the tree names a machine, a private package host or unfinished work.
source "$(dirname "$0")/report.bash"

# In the patterns a letter stands in brackets, so that this file does not match itself.
found() {
    files . | tr '\n' '\0' | xargs -0 -r grep -InE "$1" || true
}

report 'no path of one machine' < <(found '(^|[^A-Za-z0-9_.-])/(wor[k]|far[m]|roo[t]|hom[e]|User[s]|tm[p])/')
report 'no host of a package mirror or registry' < <(
    found 'https?://[^/ ]*(registr[y]|artifactor[y]|nexu[s]|mirro[r]|prox[y])[^/ ]*\.'
)
report 'no unfinished work' < <(found '(^|[^A-Za-z])(TO[D]O|FIX[M]E|XX[X])([^A-Za-z]|$)')
finish
