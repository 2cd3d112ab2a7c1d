/// A complete request.
public struct CollectedRequest: Sendable, Hashable {
    /// The request line and header fields.
    public let head: CollectedHead
    /// The body as received.
    public let rawBody: [UInt8]
    /// The body without its gzip encoding, if it has one.
    public let body: [UInt8]
    /// The number of the request, from 1, in the order in which the requests of all connections became complete.
    public internal(set) var arrival: Int

    /// The method, such as `POST`.
    public var method: String { head.method }
    /// The path of the target, not percent-decoded.
    public var path: String { head.path }
    /// The query items, percent-decoded.
    public var query: [String: String] { head.query }
    /// The header fields by lower-case name.
    public var headers: [String: String] { head.headers }
    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Returns whether the body contains a text.
    ///
    /// - Parameter text: The text to find.
    /// - Returns: Whether the body without its gzip encoding contains the UTF-8 bytes of the text.
    public func contains(_ text: String) -> Bool {
        let pattern = Array(text.utf8)
        guard let first = pattern.first else { return true }
        var start = body.startIndex
        while let index = body[start...].firstIndex(of: first) {
            if body[index...].starts(with: pattern) { return true }
            start = index + 1
        }
        return false
    }
}

/// The request line and header fields of a request.
///
/// The collector reads them before it decides how to read the body.
public struct CollectedHead: Sendable, Hashable {
    /// The method, such as `POST`.
    public let method: String
    /// The target, as in the request line.
    public let target: String
    /// The path of the target, not percent-decoded.
    public let path: String
    /// The query items, percent-decoded.
    ///
    /// If a name occurs twice, the first value is used.
    public let query: [String: String]
    /// The header lines as received, in order.
    public let headerLines: [String]
    /// The header fields by lower-case name.
    ///
    /// Values with the same name are joined with `, `.
    public let headers: [String: String]
    /// The number of the connection, from 1 in the order of acceptance.
    public let connection: Int
    /// The number of the request on its connection, from 1.
    public let ordinal: Int

    /// Parses a head without its final empty line, or returns `nil` if it is not valid HTTP/1.1.
    init?(_ bytes: some Collection<UInt8>, connection: Int, ordinal: Int) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
        guard !lines.isEmpty else { return nil }
        let parts = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2] == "HTTP/1.1" || parts[2] == "HTTP/1.0", !parts[0].isEmpty else { return nil }
        var headers: [String: String] = [:]
        for line in lines {
            // By scalars, as receivers parse bytes: a combining mark would hide the separator before it.
            guard let colon = line.unicodeScalars.firstIndex(of: ":"), colon != line.startIndex else { return nil }
            let name = line[..<colon].lowercased()
            let value = line[line.unicodeScalars.index(after: colon)...].trimmingBlanks
            headers[name] = headers[name].map { "\($0), \(value)" } ?? String(value)
        }
        let halves = parts[1].unicodeScalars.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            .map(Substring.init)
        method = String(parts[0])
        target = String(parts[1])
        path = halves.first.map(String.init) ?? ""
        query = halves.count > 1 ? CollectedHead.items(of: halves[1]) : [:]
        headerLines = lines.map(String.init)
        self.headers = headers
        self.connection = connection
        self.ordinal = ordinal
    }

    /// Whether the client asked to close the connection after the response.
    var wantsClose: Bool { headers["connection"]?.lowercased() == "close" }

    private static func items(of query: Substring) -> [String: String] {
        let pairs = query.unicodeScalars.split(separator: "&").map { item in
            let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Substring.init)
            return (halves.first?.percentDecoded ?? "", halves.count > 1 ? halves[1].percentDecoded : "")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension Substring {
    fileprivate var trimmingBlanks: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    fileprivate var percentDecoded: String {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
