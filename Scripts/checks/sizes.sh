#!/usr/bin/env bash
# No file is longer than 400 lines, no function longer than 60, no line wider than 120 characters, and an event is short.
source "$(dirname "$0")/report.bash"

report 'a file has at most 400 lines' < <(
    files '*.swift' | grep -vx Package.swift | tr '\n' '\0' | xargs -0 -r awk '
        FNR == 401 { print FILENAME }'
)
report 'a line has at most 120 characters' < <(
    files '*.swift' | tr '\n' '\0' | LC_ALL=C xargs -0 -r awk '
        { gsub(/[\200-\277]/, "") } # of a character of several bytes, the first one counts
        length($0) > 120 { print FILENAME ":" FNR ": " length($0) }'
)
report 'a function has at most 60 lines' < <(
    code Modules Apps Tests | awk -f Scripts/checks/functions.awk | awk -F '\t' '$1 > 60 { print $2 ": " $1 }'
)

# An event: a struct of a module that is CoreTrackable. Its fields, their initializer and types within it do not count.
event_lines() {
    awk '
        {
            split($0, field, ":")
            text = substr($0, length(field[1]) + length(field[2]) + 3)
        }
        text ~ /^(public )?struct .*CoreTrackable.*\{/ { place = field[1] ":" field[2]; lines = 0; skips = 0 }
        place == "" || text ~ /^ *$/ { next }
        text ~ /^    (public )?(let|var) [^{]*$/ { next }
        text ~ /^    (public )?(init|enum|struct)[( ]/ { skips = text !~ /\}$/; next }
        skips { if (text ~ /^    \}/) skips = 0; next }
        { lines++ }
        text ~ /^\}/ { print lines "\t" place; place = "" }
    '
}

report 'an event has at most 12 lines beside its fields' < <(
    code Modules | event_lines | awk -F '\t' '$1 > 12 { print $2 ": " $1 }'
)
finish
