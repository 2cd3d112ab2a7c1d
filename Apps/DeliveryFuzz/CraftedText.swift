import EventBuffer
import EventOutbox
import Foundation

/// A generator of the consent and erasure files, with valid checksums and arbitrary lines.
enum CraftedText {
    /// Writes a file of a kind, `consent` or `erasures`.
    static func write(_ kind: String, to path: String, _ values: inout CraftedValues) throws {
        let count = values.happens(oneIn: 20) ? 300 : Int.random(in: 0...4, using: &values.random)
        let lines = (0..<count).map { _ in kind == "consent" ? word(&values) : erasure(&values) }
        let body = lines.joined()
        var checksum = Checksum()
        checksum.add(body)
        try Data("\(kind) 1 \(checksum.value)\n\(body)".utf8).write(to: URL(filePath: path))
    }

    /// Returns a consent decision: the purpose, the decision, its number, and whether a deletion is pending.
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

    /// Returns an erasure: the user's hash, the last event, the number, and whether it is pending.
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

    /// Returns a line of fields, usually with the right number of them.
    private static func line(_ fields: [String], _ values: inout CraftedValues) -> String {
        let fields = values.happens(oneIn: 10) ? Array(fields.dropLast()) : fields
        return fields.joined(separator: "\t") + (values.happens(oneIn: 20) ? "" : "\n")
    }
}
