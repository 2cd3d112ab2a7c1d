#!/usr/bin/env bash
# Question: Does a time of whole milliseconds come out of Foundation's ISO 8601 formats with its milliseconds?
# Guess: Yes, from `Date.ISO8601FormatStyle` as from the older `ISO8601DateFormatter`.
# Behaviour: The format style cuts the binary fraction instead of rounding it, so 496 of the 1000 milliseconds of this
# second are printed one too low; what it prints as .000 was .001. The formatter prints all of them right.
# Versions: Swift 6.3.1 on Linux.

. "$(dirname "$0")/finding.bash"
swift_compiler 6.3.1

seen <<'END'
wrong by Date.ISO8601FormatStyle: 496 of 1000
wrong by ISO8601DateFormatter: 0 of 1000
2026-03-01T10:00:00.001Z becomes 2026-03-01T10:00:00.000Z
END
cat >main.swift <<'END'
import Foundation

let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
let formatter = ISO8601DateFormatter()
formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
var wrong = (style: 0, formatter: 0)
for millisecond in 0..<1000 {
    let date = Date(timeIntervalSince1970: Double(1_772_359_200_000 + millisecond) / 1000)
    let right = "2026-03-01T10:00:00.\(String(millisecond + 1000).dropFirst())Z"
    wrong.style += date.formatted(style) == right ? 0 : 1
    wrong.formatter += formatter.string(from: date) == right ? 0 : 1
}
print("wrong by Date.ISO8601FormatStyle: \(wrong.style) of 1000")
print("wrong by ISO8601DateFormatter: \(wrong.formatter) of 1000")
print("2026-03-01T10:00:00.001Z becomes", Date(timeIntervalSince1970: 1_772_359_200.001).formatted(style))
END
compare swift_program
