import LoopbackCollector

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

/// The text for the page's filter: the ids, values and findings of a row, as lines of `key:value`.
///
/// A value in a list or an object has the nearest key. Each line appears once.
struct SearchText {
    private(set) var lines: [String] = []
    private var known: Set<String> = []

    /// Creates the text of a row's deliveries.
    init(_ sightings: [Sighting]) {
        for sighting in sightings {
            add("id", sighting.eventID)
            add("session", sighting.session)
            add("user", sighting.user)
            for finding in sighting.findings {
                let words = [finding.severity.rawValue, finding.code, finding.path, finding.text]
                add("finding", words.filter { !$0.isEmpty }.joined(separator: " "))
            }
            for parameter in ParameterOrigins(sighting).parameters { add(parameter.key, parameter.value) }
        }
    }

    private mutating func add(_ key: String, _ value: CollectedValue) {
        switch value {
        case .object(let members):
            for (key, value) in members.sorted(by: { $0.key < $1.key }) { add(key, value) }
        case .array(let elements): for element in elements { add(key, element) }
        case .string(let text): add(key, text)
        case .double(let number) where number == number.rounded() && abs(number) < 1e15: add(key, "\(Int(number))")
        case .null, .bool, .int, .double: add(key, value.json)
        }
    }

    private mutating func add(_ key: String, _ text: String) {
        guard !text.isEmpty else { return }
        // A line break in a value would end the line.
        let line = "\(key):\(text)"
        let isPlain = line.utf8.allSatisfy { $0 >= 0x20 }
        let kept = isPlain ? line : String(line.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) })
        if known.insert(kept).inserted { lines.append(kept) }
    }
}
