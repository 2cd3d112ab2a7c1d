/// A request that arrived whole.
public struct CollectedRequest: Sendable, Hashable {
    /// The request line and header fields.
    public let head: CollectedHead
    /// The body as it came over the wire.
    public let rawBody: [UInt8]
    /// The body after undoing its gzip encoding; equal to the raw body when it has none.
    public let body: [UInt8]
    /// The number of the request, from 1 in the order of arriving whole, over all connections.
    public internal(set) var arrival: Int

    /// The method, such as `POST`.
    public var method: String { head.method }
    /// The target's path.
    public var path: String { head.path }
    /// The query's items, percent-decoded.
    public var query: [String: String] { head.query }
    /// The header fields by lower-case name.
    public var headers: [String: String] { head.headers }
    /// The body as text.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Answers whether the body has this text in it.
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
