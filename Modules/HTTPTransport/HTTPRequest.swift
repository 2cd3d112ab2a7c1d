public import Foundation

/// One request of a lane.
public struct HTTPRequest: Sendable, Hashable {
    /// Where to; its query may hold a secret.
    public var url: URL
    /// The method, `POST` for everything that delivers.
    public var method: String
    /// The headers, in order; `Content-Length` and `Content-Encoding` are added below.
    public var headers: [HTTPHeader]
    /// The body before compression.
    public var body: [UInt8]
    /// Whether the receiver takes gzip; a body that does not get smaller is sent as it is.
    public var allowsGzip: Bool

    /// Creates a request.
    public init(
        url: URL,
        method: String = "POST",
        headers: [HTTPHeader] = [],
        body: [UInt8],
        allowsGzip: Bool = false
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.allowsGzip = allowsGzip
    }
}
