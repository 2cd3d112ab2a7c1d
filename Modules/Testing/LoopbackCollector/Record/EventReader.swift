/// A reader that extracts only the ids of events, which is much faster than decoding them.
enum EventReader {
    /// Returns the ids of the events in a body.
    ///
    /// - Parameters:
    ///   - body: The body, without its gzip encoding.
    ///   - service: The service of the request.
    /// - Returns: The ids in order, with an empty string for each event without an id, or `nil` if the body is
    ///   malformed.
    static func ids(in body: [UInt8], of service: CollectorService) -> [String]? {
        try? scanIDs(in: body, of: service)
    }

    /// Returns the ranges of the nonempty lines of a body.
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

    /// Returns the ranges of the events in a body.
    ///
    /// - Parameters:
    ///   - body: The body, without its gzip encoding.
    ///   - service: The service of the request.
    /// - Returns: The ranges, in order. Empty if the body should be a single JSON text and is malformed.
    static func places(in body: [UInt8], of service: CollectorService) -> [Range<Int>] {
        switch service.layout {
        case .lines: lines(of: body)
        case .lists(let names):
            places(in: body) { (scanner, places) throws(JSONScanner.Malformed) in
                try elements(of: &scanner, under: { names.contains($0) }) { (scanner) throws(JSONScanner.Malformed) in
                    places.append(try scanner.skip())
                }
            }
        case .nestedLists(let names):
            places(in: body) { (scanner, places) throws(JSONScanner.Malformed) in
                try nestedPlaces(in: &scanner, under: names[...], into: &places)
            }
        }
    }

    private static func places(
        in body: [UInt8],
        _ read: (inout JSONScanner, inout [Range<Int>]) throws(JSONScanner.Malformed) -> Void
    ) -> [Range<Int>] {
        var scanner = JSONScanner(body)
        var places: [Range<Int>] = []
        do throws(JSONScanner.Malformed) {
            try read(&scanner, &places)
            return scanner.isAtEnd ? places : []
        } catch {
            return []
        }
    }

    private static func nestedPlaces(
        in scanner: inout JSONScanner,
        under names: ArraySlice<String>,
        into places: inout [Range<Int>]
    ) throws(JSONScanner.Malformed) {
        guard let name = names.first else { return places.append(try scanner.skip()) }
        try elements(of: &scanner, under: { $0 == name }) { (scanner) throws(JSONScanner.Malformed) in
            try nestedPlaces(in: &scanner, under: names.dropFirst(), into: &places)
        }
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
            try elements(of: &scanner, under: { names.contains($0) }) { (scanner) throws(JSONScanner.Malformed) in
                ids.append(try scanner.text(at: service.idPath[...]) ?? "")
            }
            guard scanner.isAtEnd else { throw JSONScanner.Malformed() }
        case .nestedLists(let names):
            var scanner = JSONScanner(body)
            ids = try nestedIDs(in: &scanner, under: names[...], at: service.idPath)
            guard scanner.isAtEnd else { throw JSONScanner.Malformed() }
        }
        return ids
    }

    private static func nestedIDs(
        in scanner: inout JSONScanner,
        under names: ArraySlice<String>,
        at path: [String]
    ) throws(JSONScanner.Malformed) -> [String] {
        guard let name = names.first else { return [try scanner.text(at: path[...]) ?? ""] }
        var ids: [String] = []
        try elements(of: &scanner, under: { $0 == name }) { (scanner) throws(JSONScanner.Malformed) in
            ids += try nestedIDs(in: &scanner, under: names.dropFirst(), at: path)
        }
        return ids
    }

    /// Reads an object, and the elements of its selected members.
    private static func elements(
        of scanner: inout JSONScanner,
        under isMeant: (String) -> Bool,
        read: (inout JSONScanner) throws(JSONScanner.Malformed) -> Void
    ) throws(JSONScanner.Malformed) {
        try scanner.members { (scanner, key) throws(JSONScanner.Malformed) in
            guard isMeant(try scanner.text(in: key)) else { return _ = try scanner.skip() }
            try scanner.elements(read)
        }
    }
}
