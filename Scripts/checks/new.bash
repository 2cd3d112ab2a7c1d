#!/usr/bin/env bash
# Makes features, products and vendors of many names in a copy of the sources, and checks them as Scripts/test would:
# Scripts/checks/new.bash BUILT. Scripts/checks/packages calls it on Linux.
#
# BUILT is the folder of a debug build with tests, such as .build/checked/debug. Only the generated modules are
# compiled; they are linked with the objects of that build. Their tests must pass, the plan and the API must be written
# by the commands that Scripts/new prints, and no other module's files may change.
set -euo pipefail
cd "$(dirname "$0")/../.."
checked=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Requests that are accepted, in this order. Many names contain words of the templates.
accepted() {
    printf '%s\n' 'product|XY|Acme Shop' 'product|MA|MACsimum' 'product|AC|Acme' \
        'product|QA|Abcdefghij Klmnopqrst Uvwxyzab' \
        'feature|XY|Basket' 'feature|MA|ACMap' 'feature|AC|Basket' 'feature|QA|AbAbAbAbAbAbAbAbAbAbAb' \
        'feature|DL|ACMap' 'feature|DL|BasketPromo' 'feature|DL|Cart' 'feature|DL|Top10' 'feature|SF|X2y' \
        'vendor|OutsideIn' 'vendor|Acme' 'vendor|HTTPLog2' 'vendor|Abcdefghijklmnopqrstuvwxyzabcd'
}

# Requests that are refused in one line, with a part of the reason.
refused() {
    printf '%s\n' 'feature|DL|probe|valid name' 'feature|QQ|Probe|no product' 'feature|DL|Listing|taken by' \
        'feature|DL|Basket|taken by' 'feature|DL|DLCart|feature DL Cart' 'feature|DL|GoogleOffer|google_' \
        'feature|DL|AbAbAbAbAbAbAbAbAbAbAbAb|40 characters' 'feature|SF|Screen|screen_opened' 'feature|DL|expected' \
        "feature|DL|Tracker|product's tracker" 'feature|DL|Tests|end in Tests' 'feature|DL|Testing|end in Tests' \
        'feature|DL|AbTests|end in Tests' 'product|ZZ|Tracker Demo|taken: Apps/TrackerDemo' \
        'product|ZZ|queue tool|valid name' 'product|ZZ|Queuetool|taken: Apps/QueueTool' \
        'product|ZZ|Braze Tracker|taken: Modules/Services/BrazeTracker' 'product|DL|Again|is taken' \
        'product|X1|Odd|valid prefix' \
        'product|ZZ|Apps|is taken' 'product|ZZ|Default|does not accept' 'product|ZZ|delivery|valid name' \
        'vendor|Sumo|taken by' 'vendor|AwesomeTracking|exists already' 'vendor|BrazeProfiles|exists already' \
        'vendor|Default|does not accept' 'vendor|Name|property of each TrackerType' \
        'vendor|ProbeTracker|vendor Probe' 'vendor|No Op|valid name'
}

fail() {
    printf '%s\n' "$@"
    exit 1
}

mkdir "$work/tree" "$work/built" "$work/programs"
cp -R Package.swift .swift-format .ci README.md Modules Apps Tests Scripts "$work/tree"
mkdir "$work/tree/.build"
cp .build/toolchain "$work/tree/.build"
cd "$work/tree"
printf '.build/\n' >.gitignore
git init --quiet && git add --all
git -c user.name=check -c user.email=check@localhost commit --quiet --message 'Before'

while IFS='|' read -ra words; do
    reason=${words[-1]}
    unset 'words[-1]'
    ! message=$(Scripts/new "${words[@]}" 2>&1) || fail "Scripts/new ${words[*]} is not refused"
    [[ $message == "new: "*"$reason"* && $(wc -l <<<"$message") == 1 ]] || fail "Scripts/new ${words[*]}: $message"
done < <(refused)
[[ -z $(git status --porcelain) ]] || fail 'a refused request has changed:' "$(git status --porcelain)"

while IFS='|' read -ra words; do
    message=$(Scripts/new "${words[@]}" 2>&1) || fail "Scripts/new ${words[*]}: $message"
    grep -q '^  Scripts/checks/api --write$' <<<"$message" || fail "Scripts/new ${words[*]} prints no next command"
done < <(accepted)

git status --porcelain --untracked-files=all | cut -c 4- >"$work/changed"
grep '\.swift$' "$work/changed" | tr '\n' '\0' | xargs -0 swift format lint --strict || fail 'the format differs'

# Checks that the manifest declares each import of the generated targets.
swift package dump-package | python3 -c '
import json, pathlib, re, sys
for target in json.load(sys.stdin)["targets"]:
    known = {name[0] for one in target["dependencies"] for name in one.values()} | {"Testing", "Foundation"}
    for file in pathlib.Path(target["path"]).glob("**/*.swift") if target["type"] != "system" else []:
        for name in re.findall(r"^(?:@testable |public )?import (\w+)$", file.read_text(), re.MULTILINE):
            if name not in known and (str(file) + "\n") in open(sys.argv[1]).readlines():
                print(f"{file} imports {name}, which Package.swift does not declare")
' "$work/changed" | { ! grep .; } || exit 1

source Scripts/bash/build.bash
set_options "$checked/Modules"
export checked work
compile=(swiftc -c -whole-module-optimization -Onone -parse-as-library -I "$work/built" "${options[@]}")
compile+=(-swift-version 6 -strict-memory-safety -warnings-as-errors -enable-testing -package-name modulareventtracker)
for feature in $(grep -oE 'enableUpcomingFeature\("[A-Za-z]+' Package.swift | cut -d '"' -f 2); do
    compile+=(-enable-upcoming-feature "$feature")
done

# Compiles a folder of sources as a module: module FOLDER
module() {
    local name
    name=$(basename "$1")
    "${compile[@]}" -module-name "$name" -emit-module -emit-module-path "$work/built/$name.swiftmodule" \
        -o "$work/built/$name.o" "$1"/*.swift || fail "$1 does not compile"
}

# Compiles folders, two at a time.
modules() {
    local folder before=''
    for folder in "$@"; do
        module "$folder" &
        [[ -z $before ]] || wait "$before"
        before=$!
    done
    wait "$before"
}

folders() {
    grep -E "^$1/.*\.swift\$" "$work/changed" | xargs -n 1 dirname | sort -u
}
# shellcheck disable=SC2046 # no folder has a space
modules $(folders Modules | grep 'Tracker$')
# shellcheck disable=SC2046
modules $(folders Modules | grep -v -e 'Tracker$' -e 'SuperApp$')
module Modules/App/SuperApp
# shellcheck disable=SC2046
modules $(folders Tests) Tests/Apps/TrackingPlanToolTests

# Links a program with the objects of the modules that are not compiled here: link NAME OBJECT…
link() {
    local name
    for name in Modules/*/*/; do
        name=$(basename "$name")
        # The folder of a module may have the object of a file that was renamed.
        [[ -f $work/built/$name.o ]] || grep -F "/$name.build/" "$linked" || true
    done >"$work/objects"
    swiftc -o "$work/programs/$1" "${@:2}" @"$work/objects" || fail "$1 cannot be linked"
}

plan_tool=$checked/TrackingPlanTool.build
linked=$checked/ModularEventTrackerPackageTests.product/Objects.LinkFileList
cat >"$work/Runner.swift" <<'SWIFT'
import Testing

@main enum Runner {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
SWIFT
swiftc -c -parse-as-library -o "$work/built/Runner.o" "$work/Runner.swift"
link Runner "$work"/built/*.o "$plan_tool"/*.o
rm "$work"/built/Runner.o "$work"/built/*Tests.o
link TrackingPlanTool "$work"/built/*.o "$plan_tool"/*.o -Xlinker --defsym=main=TrackingPlanTool_main

log=$("$work/programs/Runner" --testing-library swift-testing 2>&1) || true
grep -oE 'Test run with [1-9].* passed' <<<"$log" || {
    grep -E '^✘|: error: |Crash' <<<"$log" || tail -n 20 <<<"$log"
    fail 'the generated tests fail'
}

for command in Scripts/tracking-plan 'Scripts/tracking-plan --check'; do
    $command --built "$work/programs" >"$work/log" || fail "$command fails:" "$(cat "$work/log")"
done
if [[ $(toolchain) == $(cat Scripts/api/toolchain) ]]; then
    cp "$checked"/Modules/*.swiftmodule "$work/programs"
    cp "$work"/built/*.swiftmodule "$work/programs"
    for command in 'Scripts/checks/api --write' Scripts/checks/api; do
        $command "$work/programs" >"$work/log" || fail "$command fails:" "$(cat "$work/log")"
    done
fi
added='\?\? Scripts/(api|plan)/[A-Za-z0-9]+\.(txt|schema\.json)'
all_modules=' M Scripts/plan/(tracking-plan\.(md|html)|views\.sql)'
unexpected=$(git status --porcelain Scripts/api Scripts/plan | grep -vE "^($added|$all_modules)\$" || true)
[[ -z $unexpected ]] || fail 'the API or the plan of another module has changed:' "$unexpected"
for check in Scripts/checks/{code,pages}.sh; do "$check" || fail "$check fails"; done
