import EventOutbox
import Foundation

/// The small texts beside the queues, what was said and what is to be erased, with right checksums and anything in
/// their lines.
enum CraftedText {
    /// Writes a text of a kind, `consent` or `erasures`.
    static func write(_ kind: String, to path: String, _ values: inout CraftedValues) throws {
        let count = values.happens(oneIn: 20) ? 300 : Int.random(in: 0...4, using: &values.random)
        let lines = (0..<count).map { _ in kind == "consent" ? word(&values) : erasure(&values) }
        let body = lines.joined()
        var checksum = Checksum()
        checksum.add(body)
        try Data("\(kind) 1 \(checksum.value)\n\(body)".utf8).write(to: URL(filePath: path))
    }

    /// What was said about a purpose: its name, the word, its number, and whether a purge is owed.
    private static func word(_ values: inout CraftedValues) -> String {
        line(
            [
                values.pick(["analytics", "analytics", "marketing", "", "%", "%zz", "%09", values.text()]),
                values.pick(["granted", "denied", "unknown", values.text()]),
                number(&values),
                values.pick(["owed", "-"]),
            ],
            &values
        )
    }

    /// What is to be erased: the user's mark, the last event, the number, and whether it is owed.
    private static func erasure(_ values: inout CraftedValues) -> String {
        let high = UInt64(bitPattern: values.integer())
        let id = EventID(high: high, low: UInt64(bitPattern: values.integer())).description
        return line(
            [
                values.pick(["-", "7", "0", "ffffffffffffffff", "-1", values.text()]),
                values.pick([id, id, id, String(id.dropLast()), values.text()]),
                number(&values),
                values.pick(["owed", "-"]),
            ],
            &values
        )
    }

    private static func number(_ values: inout CraftedValues) -> String {
        values.happens(oneIn: 3) ? values.text() : "\(UInt64(bitPattern: values.integer()))"
    }

    /// A line of fields, mostly of as many as there should be.
    private static func line(_ fields: [String], _ values: inout CraftedValues) -> String {
        let fields = values.happens(oneIn: 10) ? Array(fields.dropLast()) : fields
        return fields.joined(separator: "\t") + (values.happens(oneIn: 20) ? "" : "\n")
    }
}
