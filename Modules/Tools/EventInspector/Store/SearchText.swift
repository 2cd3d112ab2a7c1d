import LoopbackCollector

/// The text that the page's filter searches: the ids, values and findings of a row, as lines of `key:value`.
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
