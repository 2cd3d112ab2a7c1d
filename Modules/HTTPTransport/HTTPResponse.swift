/// A receiver's answer.
public struct HTTPResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields, names in lower case.
    public var headers: [String: String]
    /// The body, at most 64 KiB of it.
    public var body: [UInt8]

    /// Creates an answer; header names are taken in any case.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
        self.body = body
    }
}
