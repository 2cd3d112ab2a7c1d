# Functions shared by scripts that pass built modules to the compiler. Source this file in the repository's root.

# Sets `options` to the options with which a tool loads the modules in a folder.
set_options() {
    local map
    options=(-I "$1" -target "$(swiftc -print-target-info | sed -nE 's/.*"triple": "([^"]+)".*/\1/p' | head -n 1)")
    [[ $(uname -s) != Darwin ]] || options+=(-sdk "$(xcrun --show-sdk-path)")
    for map in Modules/System/*/module.modulemap; do options+=(-Xcc "-fmodule-map-file=$map"); done
}
