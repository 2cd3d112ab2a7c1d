/// An event as encoded in a body.
struct Line: Sendable {
    let number: Int
    let user: String
    let session: String
    let device: String
    let sequence: String
    let id: String

    private init?(_ fields: [String]) {
        guard fields.count == 7, fields[6].hasPrefix("CANARY-"), let number = Int(fields[0]) else { return nil }
        self.number = number
        user = fields[1] == "-" ? "" : fields[1]
        (session, device, sequence, id) = (fields[2], fields[3], fields[4], fields[5])
    }

    /// Returns the lines of a body, with `nil` for each line that differs from its encoding.
    static func lines(of body: [UInt8]) -> [Line?] {
        var (lines, fields, field): ([Line?], [String], [UInt8]) = ([], [], [])
        for byte in body {
            switch byte {
            case UInt8(ascii: "\""): break
            case UInt8(ascii: " "), UInt8(ascii: "\n"):
                fields.append(String(decoding: field, as: UTF8.self))
                field.removeAll(keepingCapacity: true)
                guard byte == UInt8(ascii: "\n") else { continue }
                lines.append(Line(fields))
                fields.removeAll(keepingCapacity: true)
            default: field.append(byte)
            }
        }
        return lines
    }
}
