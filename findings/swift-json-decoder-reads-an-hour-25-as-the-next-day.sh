#!/usr/bin/env bash
# Question: Which times does JSONDecoder with `.iso8601` refuse?
# Guess: Those that do not exist, those with text behind them, and fractions, which it does not write either.
# Behaviour: It accepts all three: 25:00 is 01:00 of the next day, 10:61 is 11:01, 30 February is 2 March, text behind
# the Z is ignored, and a fraction is kept. ISO8601DateFormatter refuses the impossible times and fractions, and
# Python the text and the day, too.
# Versions: Swift 6.3.1 on Linux.

. "$(dirname "$0")/finding.bash"
swift_compiler 6.3.1

seen <<'END'
2026-03-01T25:00:00Z: 2026-03-02T01:00:00Z, formatter refuses
2026-03-01T10:61:00Z: 2026-03-01T11:01:00Z, formatter refuses
2026-02-30T10:00:00Z: 2026-03-02T10:00:00Z, formatter accepts
2026-03-01T10:00:00Z and more: 2026-03-01T10:00:00Z, formatter accepts
2026-03-01T10:00:00.5Z: 2026-03-01T10:00:00.5Z, formatter refuses
END
cat >main.swift <<'END'
import Foundation

let decoder = JSONDecoder()
decoder.dateDecodingStrategy = .iso8601
let formatter = ISO8601DateFormatter()
for text in [
    "2026-03-01T25:00:00Z", "2026-03-01T10:61:00Z", "2026-02-30T10:00:00Z", "2026-03-01T10:00:00Z and more",
    "2026-03-01T10:00:00.5Z",
] {
    let date = try? decoder.decode([Date].self, from: Data(#"["\#(text)"]"#.utf8))[0]
    let half = date.map { $0.timeIntervalSince1970.truncatingRemainder(dividingBy: 1) == 0.5 } ?? false
    let read = date.map { formatter.string(from: $0).replacing("Z", with: half ? ".5Z" : "Z") } ?? "refused"
    print("\(text): \(read), formatter", formatter.date(from: text) == nil ? "refuses" : "accepts")
}
END
compare swift_program
