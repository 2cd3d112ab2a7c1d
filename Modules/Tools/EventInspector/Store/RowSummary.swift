/// The JSON of a row in the page's list.
enum RowSummary {
    /// Returns the JSON of a row.
    ///
    /// A row without deliveries contains only its number.
    static func json(_ number: Int, _ sightings: [Sighting]) -> String {
        var json = JSONBuilder()
        json.object { json in
            json.member("n", number)
            guard let first = sightings.first else { return }
            json.member("t", Int(first.trackedTime / 1000))
            json.member("c", Int(first.stamp?.counter ?? 0))
            json.member("r", Int(first.firstTime / 1000))
            json.member("p", sightings.lazy.compactMap(\.product).first ?? "")
            json.member("e", sightings.lazy.compactMap { $0.entry?.title }.first ?? "")
            json.key("w")
            json.array { json in
                for name in sightings.map(\.name).uniqued { json.string(name) }
            }
            if sightings.allSatisfy(\.isUnplanned) { json.member("u", 1) }
            if isGroupedByTime(sightings) { json.member("g", 1) }
            let findings = sightings.flatMap(\.findings)
            json.member("f", findings.count)
            json.member("h", findings.count { $0.severity == .error })
            json.member("x", SearchText(sightings).lines.joined(separator: "\n"))
            json.key("s")
            json.array { json in
                for sighting in sightings { write(sighting, to: &json) }
            }
        }
        return json.text
    }

    /// Returns whether the deliveries are grouped only by time, and not by a plan.
    static func isGroupedByTime(_ sightings: [Sighting]) -> Bool {
        sightings.count > 1 && sightings.allSatisfy { $0.entry == nil }
    }

    private static func write(_ sighting: Sighting, to json: inout JSONBuilder) {
        let status = sighting.status
        json.array { json in
            json.string(sighting.service)
            json.string(status.state)
            json.string(status.reason)
            json.raw("\(sighting.arrivals)")
        }
    }
}

extension [String] {
    /// The distinct elements, in the order of their first occurrence.
    var uniqued: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
