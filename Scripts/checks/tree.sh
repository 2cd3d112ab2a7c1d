#!/usr/bin/env bash
# The repository contains no names of machines and private package hosts, and no unfinished work.
source "$(dirname "$0")/report.bash"

# In the patterns one letter is in brackets, which keeps this file from matching itself.
found() {
    files . | tr '\n' '\0' | xargs -0 -r grep -InE "$1" || true
}

report 'no path of one machine' < <(found '(^|[^A-Za-z0-9_.-])/(wor[k]|far[m]|roo[t]|hom[e]|User[s]|tm[p])/')
report 'no host of a package mirror or registry' < <(
    found 'https?://[^/ ]*(registr[y]|artifactor[y]|nexu[s]|mirro[r]|prox[y])[^/ ]*\.'
)
report 'no unfinished work' < <(found '(^|[^A-Za-z])(TO[D]O|FIX[M]E|XX[X])([^A-Za-z]|$)')
finish
