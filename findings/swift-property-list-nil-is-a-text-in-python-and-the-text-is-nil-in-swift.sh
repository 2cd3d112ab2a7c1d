#!/usr/bin/env bash
# Question: What becomes of nil in an array, which a property list cannot hold?
# Guess: PropertyListEncoder throws.
# Behaviour: It writes the text "$null", which plistlib of Python reads as a text. PropertyListDecoder reads each
# "$null" as nil, also one that somebody typed.
# Versions: Swift 6.3.1 on Linux.

. "$(dirname "$0")/finding.bash"
swift_compiler 6.3.1
command -v python3 >/dev/null || cannot "python3 is missing"

seen <<'END'
Swift writes nil as: <string>$null</string>
Swift reads the typed text: nil
Python reads Swift's nil: [1, '$null', 2]
END
cat >main.swift <<'END'
import Foundation

let encoder = PropertyListEncoder()
encoder.outputFormat = .xml
let list = try encoder.encode([1, nil, 2] as [Int?])
try list.write(to: URL(fileURLWithPath: "list.plist"))
let line = String(decoding: list, as: UTF8.self).split(separator: "\n").first { $0.contains("string") } ?? ""
let typed = try PropertyListDecoder().decode([String?].self, from: encoder.encode(["$null"]))[0]
print("Swift writes nil as:", line.drop { $0 == "\t" })
print("Swift reads the typed text:", typed ?? "nil")
END
cat >read.py <<'END'
import plistlib

print("Python reads Swift's nil:", plistlib.load(open("list.plist", "rb")))
END
both() { swift_program && python3 read.py; }
compare both
