# What the checks share: each names its findings with `report`, and ends with `finish`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
git rev-parse --git-dir >/dev/null  # the list of files is git's
status=0

# Prints the findings that come in, under the rule that they break.
report() {
    local rule=$1 findings
    findings=$(cat)
    [[ -n $findings ]] || return 0
    printf '%s: %s\n' "$(basename "$0" .sh)" "$rule"
    printf '%s\n' "$findings" | sed 's/^/    /'
    status=1
}

finish() {
    exit $status
}

# The files of the tree that match, also those that are not committed yet.
files() {
    local file
    git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while IFS= read -r file; do
        [[ ! -f $file ]] || printf '%s\n' "$file"
    done
}

# The Swift code below some folders as `file:line:code`, without comments and the contents of strings.
code() {
    local paths=() root
    for root in "$@"; do paths+=("$root/*.swift"); done
    files "${paths[@]}" | tr '\n' '\0' | xargs -0 -r awk -f Scripts/checks/code.awk
}

# The code whose text matches an extended regular expression.
code_matching() {
    local pattern=$1
    shift
    code "$@" | grep -E "^[^:]*:[0-9]+:.*$pattern" || true
}

# The names of our modules; the system libraries are not among them.
modules() {
    local folder
    for folder in Modules/*/; do
        [[ -f $folder/module.modulemap ]] || basename "$folder"
    done
}
