# What the scripts share that ask the compiler about built modules; to be sourced at the top of the repository.

# Sets `options` to what a tool needs to load the modules in a folder.
set_options() {
    local map
    options=(-I "$1" -target "$(swiftc -print-target-info | sed -nE 's/.*"triple": "([^"]+)".*/\1/p' | head -n 1)")
    [[ $(uname -s) != Darwin ]] || options+=(-sdk "$(xcrun --show-sdk-path)")
    for map in Modules/*/module.modulemap; do options+=(-Xcc "-fmodule-map-file=$map"); done
}
