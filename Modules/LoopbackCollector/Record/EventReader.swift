/// Reads the ids alone of a body's events, which costs a fraction of reading the events.
enum EventReader {
    /// The ids of a body's events in order, empty text for an event without one; `nil` when the body is malformed.
    static func ids(in body: [UInt8], of service: CollectorService) -> [String]? {
        try? scanIDs(in: body, of: service)
    }

    /// The ranges of a body's lines that are not empty.
    static func lines(of body: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        while start < body.count {
            let end = body[start...].firstIndex(of: UInt8(ascii: "\n")) ?? body.count
            if end > start { lines.append(start..<end) }
            start = end + 1
        }
        return lines
    }

    private static func scanIDs(
        in body: [UInt8],
        of service: CollectorService
    ) throws(JSONScanner.Malformed) -> [String] {
        var ids: [String] = []
        switch service.layout {
        case .lines:
            for line in lines(of: body) {
                var scanner = JSONScanner(body, in: line)
                ids.append(try scanner.text(at: service.idPath[...]) ?? "")
                guard scanner.isAtEnd else { throw JSONScanner.Malformed() }
            }
        case .lists(let names):
            var scanner = JSONScanner(body)
            try scanner.members { (scanner, key) throws(JSONScanner.Malformed) in
                guard names.contains(try scanner.text(in: key)) else { return _ = try scanner.skip() }
                try scanner.elements { (scanner) throws(JSONScanner.Malformed) in
                    ids.append(try scanner.text(at: service.idPath[...]) ?? "")
                }
            }
            guard scanner.isAtEnd else { throw JSONScanner.Malformed() }
        }
        return ids
    }
}
