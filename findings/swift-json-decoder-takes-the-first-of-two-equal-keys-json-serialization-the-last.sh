#!/usr/bin/env bash
# Question: An event has the same key twice. Which value do Foundation's readers take?
# Guess: The last one, in all of them.
# Behaviour: JSONDecoder takes the first value, also for a dictionary; JSONSerialization and both readers of property
# lists take the last. Keys that are equal in Swift, such as an accent written in two ways, are one key for
# JSONDecoder.
# Versions: Swift 6.3.1 on Linux.

. "$(dirname "$0")/finding.bash"
swift_compiler 6.3.1

seen <<'END'
JSONDecoder, struct: 1
JSONDecoder, dictionary: 1
JSONSerialization: 2
PropertyListDecoder: 2
PropertyListSerialization: 2
JSONDecoder, two spellings of one letter: 1 key
END
cat >main.swift <<'END'
import Foundation

struct Event: Decodable { let price: Int }

let json = Data(#"{"price":1,"price":2}"#.utf8)
let list = Data(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <key>price</key><integer>1</integer><key>price</key><integer>2</integer>
    </dict></plist>
    """.utf8)
let object = try JSONSerialization.jsonObject(with: json) as? [String: Int]
let listed = try PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Int]
let spellings = Data(#"{"caf\u00e9":1,"cafe\u0301":2}"#.utf8)
print("JSONDecoder, struct:", try JSONDecoder().decode(Event.self, from: json).price)
print("JSONDecoder, dictionary:", try JSONDecoder().decode([String: Int].self, from: json)["price"] ?? 0)
print("JSONSerialization:", object?["price"] ?? 0)
print("PropertyListDecoder:", try PropertyListDecoder().decode(Event.self, from: list).price)
print("PropertyListSerialization:", listed?["price"] ?? 0)
let merged = try JSONDecoder().decode([String: Int].self, from: spellings)
print("JSONDecoder, two spellings of one letter:", merged.count, "key")
END
compare swift_program
