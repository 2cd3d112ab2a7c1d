/// A row as the list of the page gets it.
enum RowSummary {
    /// Writes a row; one without deliveries is gone.
    static func json(_ number: Int, _ sightings: [Sighting]) -> String {
        var json = JSONText()
        json.object { json in
            json.member("n", number)
            guard let first = sightings.first else { return }
            let time = first.stamp.map { Int(clamping: $0.milliseconds) } ?? Int(first.firstTime / 1000)
            json.member("t", time)
            json.member("p", sightings.lazy.compactMap(\.product).first ?? "")
            json.member("e", sightings.lazy.compactMap { $0.entry?.title }.first ?? "")
            json.key("w")
            json.array { json in
                for name in sightings.map(\.name).uniqued { json.string(name) }
            }
            if sightings.contains(where: \.isAmbiguous) { json.member("a", 1) }
            json.member("f", sightings.reduce(0) { $0 + $1.findings.count })
            let words = sightings.flatMap { [$0.eventID, $0.report?.session ?? $0.facts?.session ?? "", user(of: $0)] }
            json.member("x", words.filter { !$0.isEmpty }.uniqued.joined(separator: " "))
            json.key("s")
            json.array { json in
                for sighting in sightings { write(sighting, to: &json) }
            }
        }
        return json.text
    }

    private static func write(_ sighting: Sighting, to json: inout JSONText) {
        let standing = sighting.standing
        json.array { json in
            json.string(sighting.service)
            json.string(standing.state)
            json.string(standing.reason)
            json.raw("\(sighting.arrivals)")
        }
    }

    private static func user(of sighting: Sighting) -> String { sighting.report?.user ?? sighting.facts?.user ?? "" }
}

extension [String] {
    /// The texts, each once, in the order of their first places.
    var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
