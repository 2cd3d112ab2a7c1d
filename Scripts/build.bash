# Functions shared by scripts that install packages, build programs or load modules. Source this file after help.bash.

# Installs Debian packages, and returns 1 if this machine or user cannot.
install_packages() {
    local as_root=()
    command -v apt-get >/dev/null || return 1
    if ((EUID != 0)); then
        sudo -n true 2>/dev/null || return 1
        as_root=(sudo -n)
    fi
    echo "$(basename "$0"): installs $*" >&2
    local apt=("${as_root[@]+"${as_root[@]}"}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
    "${apt[@]}" install -y --no-install-recommends "$@" >/dev/null 2>&1 ||
        { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "$@"; } >&2
}

# Builds programs for release, and sets `built` to their folder. Prints the log only of a failed build.
# If BUILT names the folder of another build, such as .build/checked/debug, this builds nothing.
build_release() {
    local root product log
    root=$(cd "$(dirname "$0")/.." && pwd)
    "$root/Scripts/bootstrap"
    built=${BUILT:-$root/.build/release}
    [[ -z ${BUILT:-} ]] || return 0
    for product in "$@"; do
        [[ -x $built/$product ]] || echo "building $product, which takes a minute or two the first time" >&2
        log=$(swift build --package-path "$root" --configuration release --product "$product" 2>&1) ||
            { printf '%s\n' "$log" >&2 && exit 1; }
    done
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
set_options() {
    local map
    options=(-I "$1" -target "$(swiftc -print-target-info | sed -nE 's/.*"triple": "([^"]+)".*/\1/p' | head -n 1)")
    [[ $(uname -s) != Darwin ]] || options+=(-sdk "$(xcrun --show-sdk-path)")
    for map in Modules/System/*/module.modulemap; do options+=(-Xcc "-fmodule-map-file=$map"); done
}
