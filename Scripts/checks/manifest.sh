#!/usr/bin/env bash
# The manifest: no package dependencies, at most 250 lines; the visible top level holds the six names and no other.
set -euo pipefail
cd "$(dirname "$0")/../.."
status=0

if grep -nE '\.package\(' Package.swift; then
    echo 'manifest: no package dependencies'
    status=1
fi
if (($(wc -l <Package.swift) > 250)); then
    echo 'manifest: Package.swift has more than 250 lines'
    status=1
fi
for name in $(git ls-files -co --exclude-standard | cut -d/ -f1 | sort -u | grep -v '^\.'); do
    case $name in
        Package.swift | README.md | Modules | Apps | Tests | Scripts) ;;
        *) echo "manifest: $name does not belong to the top level" && status=1 ;;
    esac
done
exit $status
