#!/usr/bin/env bash
# Modules contain no traps and no unsafe promises to the compiler, tests do not sleep, Apple's privacy manifests match
# the code, and no file contains names of machines and package hosts. The formatter finds force unwraps and `try!`.
source "$(dirname "$0")/report.bash"

word='(^|[^A-Za-z0-9_.])'
report 'nothing traps' < <(
    code Modules "$word(fatalError|precondition(Failure)?|assert(ionFailure)?)\(|\.unsafelyUnwrapped"
)
report 'nothing is unchecked, but for the locks themselves' < <(
    code Modules '@unchecked +Sendable|(nonisolated|unowned)\(unsafe\)|unsafeBitCast\(' | grep -v '^Modules/System/Locks/'
)
report 'tests wait for a result and never sleep' < <(
    code Tests "(Task|Thread|Clock\(\))\.sleep|$word(u|nano)?sleep\(" | grep -v 'func sleep('
)

# Apple's required-reason APIs, by the category that a module's manifest must name. Every variant of `stat` counts.
apis="FileTimestamp $word([fl]?stat(64)?|fstatat|f?getattrlist(at|bulk)?)\(|${word}(creation|([a-z]+M|m)odification)Date(Key)?([^A-Za-z0-9_]|$)
SystemBootTime ${word}(systemUptime|mach_absolute_time)
DiskSpace ${word}f?statv?fs\(|volume(Available|Total)Capacity|${word}system(Free)?Size([^A-Za-z]|$)
ActiveKeyboards activeInputModes
UserDefaults $word((NS)?UserDefaults|AppStorage)([^A-Za-z0-9_]|$)"
report 'the entries of PrivacyInfo.xcprivacy are those that the code of the module needs' < <(
    diff <(
        while read -r category pattern; do
            code Modules "$pattern" | cut -d / -f 1-3 | sort -u | sed "s/$/ needs an entry for $category/"
        done <<<"$apis" | sort
    ) <(
        for manifest in Modules/*/*/PrivacyInfo.xcprivacy; do
            sed -nE "s|.*APICategory([A-Za-z]+).*|${manifest%/*} needs an entry for \1|p" "$manifest"
        done | sort
    ) | sed -n 's/^< //p; s/^> \(.*\) needs an entry/\1 has an unused entry/p'
)
report 'a privacy manifest is a resource of its module' < <(
    for manifest in Modules/*/*/PrivacyInfo.xcprivacy; do
        grep -FB 8 '"PrivacyInfo.xcprivacy"' Package.swift | grep -qF "\"$(basename "${manifest%/*}")\"" || echo "$manifest"
    done
)

# In the patterns one letter is in brackets, which keeps this file from matching itself.
found() {
    files . | tr '\n' '\0' | xargs -0 -r grep -InE "$1" || true
}
report 'no path of one machine' < <(found '(^|[^A-Za-z0-9_.@-])/(wor[k]|far[m]|roo[t]|hom[e]|User[s]|tm[p])/')
report 'no host of a package mirror or registry' < <(
    found 'https?://[^/ ]*(registr[y]|artifactor[y]|nexu[s]|mirro[r]|prox[y])[^/ ]*\.'
)
finish
