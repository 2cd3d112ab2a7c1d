#!/usr/bin/env bash
# Scripts install the Debian packages that are missing, and never change an installed one. A replacement of apt-get
# prints the plans of the cases and records its calls.
source "$(dirname "$0")/report.bash"
source Scripts/bash/build.bash

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$folder:$PATH CALLS=$folder/calls PLAN=''
printf '#!/bin/sh\nfor name; do :; done; [ "$name" != present ] || printf installed\n' >"$folder/dpkg-query"
printf '#!/bin/sh\nshift; exec "$@"\n' >"$folder/sudo"
printf '#!/bin/sh\necho "$@" >>"$CALLS"\ncase "$*" in *--simulate*) printf "%%b" "$PLAN" ;; esac\n' >"$folder/apt-get"
chmod +x "$folder"/*

# Prints a finding if a request has another result or other installations: expect TITLE STATUS INSTALLED PLAN PACKAGE…
expect() {
    local title=$1 status=$2 installed=$3 got=0 calls
    PLAN=$4
    : >"$CALLS"
    install_packages "${@:5}" 2>"$folder/message" || got=1
    calls=$(grep -v -- --simulate "$CALLS" | grep -oE -- '--no-upgrade .*' || true)
    [[ $got == "$status" && $calls == "$installed" ]] || echo "$title: status $got, installed: ${calls:-nothing}"
    [[ $got == 0 ]] || grep -q 'sudo apt-get install' "$folder/message" || echo "$title: no command is printed"
}
report 'an installation changes no installed package' < <(
    expect 'an installed package' 0 '' '' present
    expect 'a new package' 0 '--no-upgrade --no-remove absent' 'Inst absent (1.0 Debian [amd64])\n' present absent
    expect 'another version' 1 '' 'Inst libz1 [1.0] (1.1 Debian [amd64])\nInst absent (1.1 Debian [amd64])\n' absent
    expect 'a removal' 1 '' 'Remv libz1 [1.0]\nInst absent (1.1 Debian [amd64])\n' absent
)
finish
