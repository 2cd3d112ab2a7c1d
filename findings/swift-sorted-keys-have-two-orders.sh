#!/usr/bin/env bash
# Question: Do JSONEncoder and JSONSerialization write sorted keys in one order, as golden files need it?
# Guess: Yes, `.sortedKeys` of one framework is one order.
# Behaviour: JSONEncoder sorts by code units (capitals first, a10 before a9). JSONSerialization, on Linux too,
# compares as a person reads: underscore first, a9 before a10, letters regardless of case.
# Versions: Swift 6.3.1 on Linux.

. "$(dirname "$0")/finding.bash"
swift_compiler 6.3.1

seen <<'END'
JSONEncoder: {"B":0,"_":0,"a10":0,"a9":0,"b":0}
JSONSerialization: {"_":0,"a9":0,"a10":0,"b":0,"B":0}
END
cat >main.swift <<'END'
import Foundation

let event = ["a9": 0, "a10": 0, "B": 0, "b": 0, "_": 0]
let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
print("JSONEncoder:", String(decoding: try encoder.encode(event), as: UTF8.self))
let data = try JSONSerialization.data(withJSONObject: event, options: .sortedKeys)
print("JSONSerialization:", String(decoding: data, as: UTF8.self))
END
compare swift_program
