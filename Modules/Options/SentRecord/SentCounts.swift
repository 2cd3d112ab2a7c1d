import CoreTracker
import EventDelivery
import EventTracking

/// The numbers of sent events by day, lane, purpose and name, and their form as JSON.
struct SentCounts: Sendable, Hashable {
    /// The events that are counted together.
    struct Key: Sendable, Hashable {
        /// The day in UTC, such as `2026-11-29`.
        let day: String
        let product: String
        let service: String
        let purpose: String
        let name: String
    }

    /// The time from the first of 30 days to the last one.
    static let microseconds: Int64 = 29 * 86_400 * 1_000_000
    /// The number of entries beyond which new names are counted together.
    static let maximumEntries = 4_096
    /// The maximum size of a name in bytes.
    static let maximumNameBytes = 256
    /// The name under which events without a name, and names beyond the limits, are counted.
    static let otherName = "(other)"

    private var counts: [Key: Int] = [:]

    /// Whether nothing is counted.
    var isEmpty: Bool { counts.isEmpty }

    /// Counts an event, or an event without a name.
    mutating func add(_ name: String?, on day: String, lane: LaneID, purpose: ConsentPurpose) {
        add(
            Key(
                day: day,
                product: lane.product,
                service: lane.service,
                purpose: purpose.name,
                name: name ?? SentCounts.otherName
            ),
            1
        )
    }

    /// Adds the counts of a later time.
    mutating func add(_ others: SentCounts) {
        for (key, count) in others.counts { add(key, count) }
    }

    /// Removes the counts of other days.
    mutating func keep(within days: ClosedRange<String>) { counts = counts.filter { days.contains($0.key.day) } }

    private mutating func add(_ key: Key, _ count: Int) {
        var key = key
        let isNew = counts[key] == nil
        if isNew, counts.count >= SentCounts.maximumEntries || key.name.utf8.count > SentCounts.maximumNameBytes {
            let name = SentCounts.otherName
            key = Key(day: key.day, product: key.product, service: key.service, purpose: key.purpose, name: name)
        }
        counts[key] = counts[key, default: 0].saturatingAdd(count)
    }
}

extension SentCounts {
    /// The present form of the JSON.
    private static let version = 1

    /// Reads counts as ``json`` writes them.
    ///
    /// - Parameter bytes: The JSON.
    /// - Returns: The counts, or `nil` if the bytes are not of this form.
    init?(json bytes: [UInt8]) {
        guard let members = JSONReader.object(in: bytes[...]), members["version"] == .int(SentCounts.version),
            case .array(let events)? = members["events"]
        else { return nil }
        for event in events {
            guard case .object(let event) = event, case .int(let count)? = event["count"], count > 0 else { return nil }
            let texts = SentCounts.keys.compactMap { key in
                if case .string(let text)? = event[key] { text } else { nil }
            }
            guard texts.count == SentCounts.keys.count else { return nil }
            add(Key(day: texts[0], product: texts[1], service: texts[2], purpose: texts[3], name: texts[4]), count)
        }
    }

    /// The counts as one line of JSON, sorted.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("version", .int(SentCounts.version))
        writer.key("events")
        writer.beginArray()
        let sorted = counts.map { (texts: SentCounts.texts(of: $0.key), count: $0.value) }
            .sorted { $0.texts.lexicographicallyPrecedes($1.texts) }
        for (texts, count) in sorted {
            writer.beginObject()
            for (key, text) in zip(SentCounts.keys, texts) { writer.member(key.name, .string(text)) }
            writer.member("count", .int(count))
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private static let keys: [ParameterKey] = ["day", "product", "service", "purpose", "name"]

    private static func texts(of key: Key) -> [String] { [key.day, key.product, key.service, key.purpose, key.name] }
}
