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
