#!/usr/bin/env bash
# Scripts refuse an unknown argument before they build or install anything. The build and the tests show their progress,
# as a line that changes on a terminal.
source "$(dirname "$0")/report.bash"
source Scripts/bash/build.bash

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for program in swift apt-get; do printf '#!/bin/sh\nexit 1\n' >"$folder/$program"; done
chmod +x "$folder"/*

# Prints a finding if a command does not refuse its last argument: refuses COMMAND ARGUMENT…
refuses() {
    local message got=0
    message=$(PATH=$folder:$PATH "$@" 2>&1 </dev/null) || got=$?
    [[ $got == 64 && $message == *"${!#}"* && $message != *$'\n'* ]] || echo "$* ends with $got: $message"
}
report 'an unknown argument is refused with 64 and one line that names it' < <(
    for script in .ci/run Scripts/* Scripts/checks/*; do
        [[ -f $script && -x $script && $script != *.bash && $script != */arguments.sh ]] || continue
        page=()
        [[ $script != */browser ]] || page=(inspector)
        refuses "$script" ${page[@]+"${page[@]}"} --modul
    done
    refuses Scripts/test --module DLListing DLCart
    refuses Scripts/test --sanitize tread
    refuses Scripts/bootstrap python3 curl
    refuses Scripts/docs --built "$folder" --module
    refuses Scripts/demo --inspekt
    refuses Scripts/demo --awesome
    refuses Scripts/demo -j
    refuses Scripts/release sbom --jsn
    refuses Scripts/simulate mutations --sed
    refuses Scripts/checks/instructions --write --full
    refuses Scripts/checks/browser first-event --all
)
report 'a wrong value is refused with 64 and one line that names it' < <(
    refuses Scripts/checks/queue --kills many
    refuses Scripts/gateways --only nginx,ngnix
    refuses Scripts/integration --cluster --faults typo
)
report 'a part of the name of a module is answered with the module' < <(
    message=$(Scripts/test --module Listing 2>&1) || true
    [[ $message == *'did you mean DLListing?' ]] || echo "$message"
)

# Prints a finding if two texts differ: equal TITLE TEXT EXPECTED
equal() {
    [[ $2 == "$3" ]] || printf '%s: %q instead of %q\n' "$@"
}
# Prints the output of a function for a log, on a terminal.
on_terminal() {
    python3 -c 'import pty, sys; pty.spawn(["bash", "-c", sys.argv[1]])' \
        "source Scripts/bash/build.bash; $1 <<<'$2'" </dev/null | tr '\r\033' '<>'
}
build='[0/1] Planning build
[1/9] Compiling Core A.swift
A.swift:1:1: warning: w
[2/9] Emitting module Core
error: e'
tests='◇ Test a() started.
✔ Test a() passed
✘ Test b() recorded an issue
↳ detail
✔ Suite S passed
✔ Test run with 2 tests'
report 'the progress of a build and of tests is shown, and hides no message' < <(
    interval=0
    messages=$'A.swift:1:1: warning: w\nerror: e'
    equal 'build' "$(show_progress x '^\[' <<<"$build" 2>"$folder/progress")" "$messages"
    equal 'progress of the build' "$(<"$folder/progress")" $'building x: 1 of 9, Core\nbuilding x: 2 of 9, Core'
    equal 'build on a terminal' "$(on_terminal "show_progress x '^\['" "$build")" \
        '<>[Kbuilding x<>[Kbuilding x: 1 of 9, Core<>[KA.swift:1:1: warning: w<
<>[Kbuilding x: 2 of 9, Core<>[Kerror: e<
<>[K'
    equal 'tests' "$(show_tests <<<"$tests" 2>"$folder/progress")" $'✘ Test b() recorded an issue\n↳ detail'
    equal 'progress of the tests' "$(<"$folder/progress")" 'testing: 1 passed'
    equal 'tests on a terminal' "$(on_terminal show_tests "$tests")" \
        $'<>[Ktesting: 1 passed<>[K✘ Test b() recorded an issue<\n<>[K↳ detail<\n<>[K'
    interval=30
    equal 'a log' "$(show_progress x 2>&1 <<<"$build")" 'building x: 1 of 9, Core'
)
finish
