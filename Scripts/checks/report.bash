# Functions shared by the checks. Each check reports its findings with `report`, and ends with `finish`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
git rev-parse --git-dir >/dev/null  # files are listed with git
status=0

# Prints the findings from stdin under the violated rule.
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

# Prints the matching files of the repository, including uncommitted ones.
files() {
    local file
    git ls-files --cached --others --exclude-standard -- "$@" | sort -u | while IFS= read -r file; do
        [[ ! -f $file ]] || printf '%s\n' "$file"
    done
}

# Prints the Swift code in the given folders as `file:line:code`, without comments and the contents of strings.
code() {
    local paths=() root
    for root in "$@"; do paths+=("$root/*.swift"); done
    files "${paths[@]}" | tr '\n' '\0' | xargs -0 -r awk -f Scripts/checks/code.awk
}

# Prints the code that matches an extended regular expression.
code_matching() {
    local pattern=$1
    shift
    code "$@" | grep -E "^[^:]*:[0-9]+:.*$pattern" || true
}

# Prints the names of our modules, without system libraries.
modules() {
    local folder
    for folder in Modules/*/*/; do
        [[ -f $folder/module.modulemap ]] || basename "$folder"
    done
}
