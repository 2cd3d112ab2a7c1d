# Reads the manifest, then imports as `file:line:module`, and prints violations of the layers.
#
# A module's layer is its section of the manifest. The table below lists the modules that a layer may import.

BEGIN {
    FS = ":"
    sees["Platform"] = "CLocks"
    sees["Core"] = "CoreTracker Locks"
    sees["Delivery"] = "CoreTracker Locks EventBuffer CCurl CSQLite CZlib"
    # Callers track into the buffer, which depends on no module that stores or sends, and on no C library.
    buffer = "EventBuffer"
    sees[buffer] = "Analytics CoreTracker Locks"
    # The engine depends on the outbox and the transport, which depend neither on it nor on each other.
    engine = "EventDelivery"
    parts = "EventOutbox HTTPTransport"
    sees["App edge"] = "CoreTracker Locks EventBuffer EventDelivery"
    sees["Services"] = "Analytics CoreTracker Locks MultiTracker EventBuffer EventDelivery"
    sees["Product trackers"] = "Analytics CoreTracker Locks MultiTracker EventBuffer"
    sees["Features"] = "Analytics CoreTracker Locks MultiTracker EventBuffer [product]"
    sees["Testing"] = "Analytics CoreTracker Locks MultiTracker [Delivery] [Services] [Product trackers] [Features] [Testing]"
    sees["Testing"] = sees["Testing"] " CSimulation CSQLite CZlib"
    # The platform's modules for each layer. The core may import none. Synchronization requires iOS 18; Locks has the
    # same API from iOS 16.
    platform["Platform"] = "Synchronization Darwin"
    platform["Delivery"] = "Foundation FoundationEssentials FoundationNetworking Dispatch Darwin Glibc Musl Android"
    platform["App edge"] = "Foundation Dispatch Network SwiftUI UIKit"
    platform["Services"] = "Foundation FoundationEssentials"
    platform["Product trackers"] = "Foundation FoundationEssentials"
    platform["Features"] = "Foundation FoundationEssentials SwiftUI"
    platform["Testing"] = platform["Delivery"] " Testing XCTest"
}

function has(list, word) { return index(" " list " ", " " word " ") > 0 }

# Whether one of our modules may import another one.
function may_see(from, to,    allowed) {
    if (from == to) return 0
    if (from == buffer) return has(sees[buffer], to)
    allowed = sees[layer[from]]
    if (from == engine && has(parts, to)) return 1
    if (layer[from] == "Features" && to == substr(from, 1, 2) "Tracker") return 1
    return has(allowed, to) || index(allowed, "[" layer[to] "]") > 0
}

function may_import(from, to) {
    if (to in layer || to ~ /^C(Curl|Locks|Simulation|SQLite|Zlib)$/) return may_see(from, to)
    return has(platform[layer[from]], to)
}

# The manifest has sections with entries `.module("Name", ["Dependency", …], tests: […])`, possibly over several lines,
# or a layer's shorthand such as `.feature(…)`, which names only the dependencies beyond those of its layer.
FILENAME == "Package.swift" {
    if ($0 ~ /\/\/ MARK: /) {
        section = $0
        sub(/.*MARK: /, "", section)
    }
    if ($0 ~ /^    \.(module|service|vendor|product|feature)\(/) entry = " "
    if (entry == "") next
    entry = entry $0
    if ($0 !~ /^    [.)].*\),?$|^    \),?$/) next
    sub(/tests: .*/, "", entry)
    count = split(entry, word, "\"")
    layer[word[2]] = section
    for (i = 4; i <= count; i += 2) {
        edges++
        edge_from[edges] = word[2]
        edge_to[edges] = word[i]
    }
    entry = ""
    next
}

{
    split($1, part, "/")
    if (!(part[2] in layer)) {
        if (!told[part[2]]++) print part[2] " stands in no section of Package.swift"
    } else if (!may_import(part[2], $3)) {
        print $1 ":" $2 ": " part[2] " (" layer[part[2]] ") may not import " $3
    }
}

END {
    for (module in layer) if (!(layer[module] in sees)) print module ": no such layer: " layer[module]
    for (i = 1; i <= edges; i++) {
        if (!may_see(edge_from[i], edge_to[i])) {
            print "Package.swift: " edge_from[i] " (" layer[edge_from[i]] ") may not depend on " edge_to[i]
        }
    }
}
