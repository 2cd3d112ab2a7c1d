#!/usr/bin/env bash
# Scripts install the Debian packages that are missing, and change no installed one without need. A replacement of
# apt-get records its calls, and fails for the package `absent` as long as the file `old` exists, which `update` removes.
source "$(dirname "$0")/report.bash"
source Scripts/bash/build.bash

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$folder:$PATH FOLDER=$folder
printf '#!/bin/sh\nfor name; do :; done; [ "$name" != present ] || printf installed\n' >"$folder/dpkg-query"
printf '#!/bin/sh\nshift; exec "$@"\n' >"$folder/sudo"
cat >"$folder/apt-get" <<'END'
#!/bin/sh
echo "$@" | grep -oE '(install|update).*' >>"$FOLDER/calls"
case "$*" in *update) [ -f "$FOLDER/stuck" ] || rm -f "$FOLDER/old" ;; *) [ ! -f "$FOLDER/old" ] ;; esac
END
chmod +x "$folder"/*

# Prints a finding if a request ends otherwise, or calls something else: expect TITLE STATUS CALLS PACKAGE…
expect() {
    local got=0
    : >"$folder/calls"
    install_packages "${@:4}" 2>"$folder/message" || got=1
    [[ $got == "$2" && $(<"$folder/calls") == "$3" ]] || echo "$1: status $got after $(<"$folder/calls")"
}
new='install -y --no-install-recommends --no-upgrade --no-remove absent'
report 'an installation changes no other package' < <(
    expect 'an installed package' 0 '' present
    expect 'a new package' 0 "$new" present absent
    touch "$folder/old"
    expect 'an outdated list of packages' 0 "$new"$'\nupdate\n'"$new" absent
    touch "$folder/old" "$folder/stuck"
    expect 'a package that cannot be installed' 1 "$new"$'\nupdate\n'"$new" absent
)
finish
