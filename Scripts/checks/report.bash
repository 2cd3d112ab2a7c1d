# Functions shared by the checks. Each check reports its findings with `report`, and ends with `finish`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
(($# == 0)) || { echo "$(basename "$0"): takes no arguments, such as $1" >&2 && exit 64; }
status=0

# Prints the findings from stdin under the violated rule.
report() {
    local findings
    findings=$(cat)
    [[ -n $findings ]] || return 0
    printf '%s: %s\n' "$(basename "$0" .sh)" "$1"
    printf '%s\n' "$findings" | sed 's/^/    /'
    status=1
}

finish() {
    exit $status
}

# Prints the matching files of the repository that exist, including uncommitted ones.
files() {
    git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while IFS= read -r file; do
        [[ ! -f $file ]] || printf '%s\n' "$file"
    done
}

# Prints lines of Swift code in a folder that match an extended regular expression, as `file:line:code`.
# A line that is only a comment does not count. A string or a comment after code does.
code() {
    { files "$1/*.swift" | tr '\n' '\0' | xargs -0 -r grep -nE -- "$2" || true; } | grep -vE '^[^:]+:[0-9]+: *//' || true
}

# Prints the names of our modules, without system libraries.
modules() {
    local folder
    for folder in Modules/*/*/; do [[ -f $folder/module.modulemap ]] || basename "$folder"; done
}
