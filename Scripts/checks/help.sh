#!/usr/bin/env bash
# Each script prints its help for --help if called by a relative path from another folder, and does nothing else.
source "$(dirname "$0")/report.bash"

# Stand-ins for the commands with which a script would start its work. Each records its call and fails.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin" "$folder/here"
for program in swift swiftc clang python3 docker apt-get; do
    printf '#!/bin/sh\necho "$0 $*" >>%q\nexit 1\n' "$folder/trace" >"$folder/bin/$program"
    chmod +x "$folder/bin/$program"
done
ln -s "$PWD" "$folder/here/repository"

# Prints the faults in the help of a script that is called with the given arguments.
faults_of_help() {
    local name=$1 text status=0
    shift
    text=$(cd "$folder/here" && PATH="$folder/bin:$PATH" "repository/Scripts/$name" "$@" 2>&1) || status=$?
    ((status == 0)) || echo "Scripts/$name $*: ends with $status"
    [[ $text == [A-Z]*"Scripts/$name"* ]] || echo "Scripts/$name $*: does not print how it is called: ${text:0:80}"
    [[ $text != *'set -euo pipefail'* && $text != '#'* ]] || echo "Scripts/$name $*: prints code"
    [[ ! -e $folder/trace ]] || { echo "Scripts/$name $*: runs $(head -n 1 "$folder/trace")" && rm "$folder/trace"; }
    [[ $(ls -A "$folder/here") == repository ]] || echo "Scripts/$name $*: writes files"
}

report '--help prints how a script is called and never runs it' < <(
    for script in Scripts/*; do
        [[ -f $script && -x $script ]] || continue
        faults_of_help "$(basename "$script")" --help
        faults_of_help "$(basename "$script")" some arguments -h
    done
)
# The help of these programs must contain options.
report 'the help of a program that a script runs follows' < <(
    for script in Scripts/*; do
        source=$(sed -n 's/^help_source=//p' "$script" 2>/dev/null)
        [[ -z $source ]] || "$script" --help | grep -q -- '^  .*--' || echo "$script: no option of $source"
    done
)
finish
