#!/usr/bin/env bash
# Apple's privacy manifests: each use of a required-reason API has an entry in its module's manifest, and each manifest
# is a resource.
source "$(dirname "$0")/report.bash"

manifests() {
    files 'Modules/*/*/PrivacyInfo.xcprivacy'
}

report 'a required-reason API has an entry in PrivacyInfo.xcprivacy, and an entry has a use' < <(
    { code Modules; manifests | tr '\n' '\0' | xargs -0 -r awk '{ print FILENAME ":" FNR ":" $0 }'; } |
        awk -f Scripts/checks/privacy.awk
)
report 'a manifest is a resource of its module' < <(
    manifests | while IFS= read -r manifest; do
        module=$(basename "$(dirname "$manifest")")
        grep -FA 4 "\"$module\"" Package.swift | grep -qF 'target.resources = [.copy("PrivacyInfo.xcprivacy")]' || echo "$manifest"
    done
)
report 'a manifest is a property list' < <(
    command -v python3 >/dev/null || exit 0
    manifests | tr '\n' '\0' | xargs -0 -r python3 -c '
import plistlib, sys

for path in sys.argv[1:]:
    try:
        plistlib.load(open(path, "rb"))
    except Exception as error:
        print(f"{path}: {error}")
'
)
finish
