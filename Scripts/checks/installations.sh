#!/usr/bin/env bash
# Scripts install the Debian packages that are missing, and change an installed one only if these require it. A
# replacement of apt-get prints the plans of the cases, fails for a plan that begins with an error, and records its calls.
source "$(dirname "$0")/report.bash"
source Scripts/bash/build.bash

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export PATH=$folder:$PATH CALLS=$folder/calls PLAN=''
printf '#!/bin/sh\nfor name; do :; done; [ "$name" != present ] || printf installed\n' >"$folder/dpkg-query"
printf '#!/bin/sh\nshift; exec "$@"\n' >"$folder/sudo"
cat >"$folder/apt-get" <<'END'
#!/bin/sh
echo "$@" >>"$CALLS"
case "$*" in *--simulate*) printf '%b' "$PLAN" ;; *) exit 0 ;; esac
case $PLAN in E:*) exit 100 ;; esac
END
chmod +x "$folder"/*

# Prints a finding if a request has another result, message or installations:
# expect TITLE STATUS MESSAGE INSTALLED PLAN PACKAGE…
expect() {
    local title=$1 status=$2 message=$3 installed=$4 got=0 calls
    PLAN=$5
    : >"$CALLS"
    install_packages "${@:6}" 2>"$folder/message" || got=1
    calls=$(grep -v -- --simulate "$CALLS" | grep -oE -- '--no-upgrade .*' || true)
    [[ $got == "$status" && $calls == "$installed" ]] || echo "$title: status $got, installed: ${calls:-nothing}"
    [[ $(sed 's/^[^:]*: //' "$folder/message") == "$message" ]] || echo "$title: $(<"$folder/message")"
}
new='--no-upgrade --no-remove absent'
report 'an installation changes no other package' < <(
    expect 'an installed package' 0 '' '' '' present
    expect 'a new package' 0 'installs absent' "$new" 'Inst absent (1.0 Debian [amd64])\n' present absent
    expect 'a required update' 0 'installs absent, for which it updates curl libz1' "$new" \
        'Inst curl [1.0] (1.1 Debian)\nInst libz1 [1.0] (1.1 Debian)\nInst absent (1.1 Debian)\nConf curl (1.1)\n' absent
    expect 'a removal or an older version' 1 'Packages were downgraded' '' 'E: Packages were downgraded' absent
)
finish
