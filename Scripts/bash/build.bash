# Functions shared by scripts that install packages, build programs or load modules. help.bash sources this file.

# The repository's folder, which stays right after the script changes its own.
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

# Runs apt-get as root.
apt() {
    local as_root=()
    ((EUID == 0)) || as_root=(sudo -n)
    "${as_root[@]+"${as_root[@]}"}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@"
}

# Installs missing Debian packages. Returns 1 if this machine or user cannot.
# Of the installed packages, it updates only those that a missing package requires in a newer version, as libcurl's
# headers require their own version of the library. It removes none, and replaces none by an older one.
install_packages() {
    local package missing=() install log
    command -v apt-get >/dev/null || return 1
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]} > 0)) || return 0
    ((EUID == 0)) || sudo -n true 2>/dev/null || return 1
    echo "$(basename "$0"): installs ${missing[*]}" >&2
    install=(apt install -y --no-install-recommends --no-upgrade --no-remove "${missing[@]}")
    log=$("${install[@]}" 2>&1) || { apt update >&2 && log=$("${install[@]}" 2>&1); } ||
        { printf '%s\n' "$log" >&2 && return 1; }
}

# Prints a text about the progress to stderr: on a terminal instead of the last one, or else at most every `interval`
# seconds, five without this variable. `hide_progress` removes the text from a terminal.
show_text() {
    if [[ -t 2 ]]; then
        printf '\r\033[K%s' "$1" >&2
    elif ((SECONDS >= ${next_text:-0})); then
        next_text=$((SECONDS + ${interval:-5}))
        printf '%s\n' "$1" >&2
    fi
}
hide_progress() { [[ ! -t 2 ]] || printf '\r\033[K' >&2; }

# Reads the log of `swift build`, and prints its progress: show_progress NAME [PATTERN]
# With a PATTERN, it also prints the other lines to stdout, except those that match it.
show_progress() {
    local line
    [[ ! -t 2 ]] || show_text "building $1"
    while IFS= read -r line || [[ -n $line ]]; do
        if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Compiling|Emitting\ module|Linking)\ ([A-Za-z0-9_]+) ]]; then
            show_text "building $1: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}, ${BASH_REMATCH[4]}"
        elif [[ -n ${2:-} && ! $line =~ $2 ]]; then
            hide_progress
            printf '%s\n' "$line"
        fi
    done
    hide_progress
}

# Reads the log of `swift test`, and prints the number of passed tests as progress. To stdout it prints failures with
# their details, and lines that do not belong to any test.
show_tests() {
    local line isShown=yes passed=0
    while IFS= read -r line || [[ -n $line ]]; do
        case $line in
            '◇ '* | '✔ '* | '━ '* | 'Test Suite '* | 'Test Case '* | '['*) isShown='' ;;
            '✘ '* | *': error: '* | 'error: '*) isShown=yes ;;
        esac
        if [[ $line == '✔ Test '* && $line != '✔ Test run '* ]]; then
            passed=$((passed + 1))
            show_text "testing: $passed passed"
        elif [[ -n $isShown ]]; then
            hide_progress
            printf '%s\n' "$line"
        fi
    done
    hide_progress
}

# Builds programs for release, and sets `built` to their folder.
build_release() {
    build_programs release "$@"
}

# Builds programs in a configuration, and sets `built` to their folder: build_programs debug|release PROGRAM…
# Prints the log only of a failed build. If BUILT names the folder of another build, such as .build/checked/debug,
# this builds nothing.
build_programs() {
    local configuration=$1 product log
    shift
    "$repository/Scripts/bootstrap"
    built=${BUILT:-$repository/.build/$configuration}
    [[ -z ${BUILT:-} ]] || return 0
    for product in "$@"; do
        log=$repository/.build/$product.log
        swift build --package-path "$repository" --configuration "$configuration" --product "$product" 2>&1 | tee "$log" |
            show_progress "$product" || { cat "$log" >&2 && exit 1; }
    done
}

# Runs a SwiftPM command in a package of Tests/Packages: in_package NAME COMMAND [ARGUMENT]…
# All packages share a build folder. This deletes the description of the previous one, which SwiftPM might reuse.
outside=.build/outside
in_package() {
    rm -f "$outside/debug/description.json"
    swift "$2" --package-path "Tests/Packages/$1" --scratch-path "$outside" "${@:3}" 2>&1
}

# Prints the toolchain's version and the system, such as "Swift version 6.3, Linux".
toolchain() {
    printf '%s, %s\n' "$(swift --version 2>/dev/null | sed -nE 's/.*(Swift version [0-9]+\.[0-9]+).*/\1/p')" "$(uname -s)"
}

# Sets `verify` to the compiler's options to check that files produce exactly the errors of their `expected-error`.
set_verify() {
    verify=(-verify)
    ! swiftc -frontend -help-hidden | grep -q verify-ignore-unrelated || verify+=(-verify-ignore-unrelated)
}

# Sets `options` to the compiler's options to load the modules in a folder. Call this in the repository's root.
# The options after the folder are those of another target than this machine.
set_options() {
    local map
    options=(-I "$@")
    if (($# == 1)); then
        options+=(-target "$(swiftc -print-target-info | sed -nE 's/.*"triple": "([^"]+)".*/\1/p' | head -n 1)")
        [[ $(uname -s) != Darwin ]] || options+=(-sdk "$(xcrun --show-sdk-path)")
    fi
    for map in Modules/System/*/module.modulemap; do options+=(-Xcc "-fmodule-map-file=$map"); done
}

# Writes the public API of each module to FOLDER/<Module>SUFFIX with the compiler's `options`: write_api FOLDER SUFFIX
# The declarations have no comments and no imports, which the explicit import check of Scripts/test covers.
write_api() {
    local folder module status=0
    for folder in Modules/*/*/; do
        module=$(basename "$folder")
        [[ ! -f $folder/module.modulemap ]] || continue
        swift-synthesize-interface -module-name "$module" "${options[@]}" |
            sed -E '/^ *$/d; /^ *\/\/\//d; /^import /d' >"$1/$module$2" || status=1
    done
    return $status
}
