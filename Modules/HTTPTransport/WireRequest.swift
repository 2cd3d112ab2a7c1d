import Foundation

/// A request as it goes over the wire, whichever client carries it: headers checked and completed, body packed.
struct WireRequest: Sendable {
    /// Bodies below this size are not worth compressing.
    private static let smallestPackedBody = 1024
    /// The headers that frame the message or govern the connection; they are the transport's own.
    private static let reservedHeaders: Set<String> = [
        "connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    /// The address, which is one of HTTP without credentials.
    let url: URL
    /// The method, a token.
    let method: String
    /// The headers in order, without those that frame the message.
    private(set) var headers: [(name: String, value: String)]
    /// The body, packed where that is allowed and makes it smaller; `nil` for methods that have none.
    private(set) var body: [UInt8]?

    /// Completes a request; `nil` when its URL or method cannot go over HTTP.
    init?(_ request: HTTPRequest) {
        guard ["http", "https"].contains(request.url.scheme?.lowercased()), request.url.host()?.isEmpty == false,
            request.url.user() == nil, request.url.password() == nil,
            let method = try? HTTPHeader(request.method, "").name
        else { return nil }
        self.url = request.url
        self.method = method
        headers = request.headers
            .filter { !WireRequest.reservedHeaders.contains($0.name.lowercased()) }
            .map { ($0.name, $0.value) }
        setDefault("identity", for: "Accept-Encoding")
        if !["GET", "HEAD"].contains(method) { setBody(of: request) }
    }

    private mutating func setBody(of request: HTTPRequest) {
        setDefault("application/octet-stream", for: "Content-Type")
        guard request.allowsGzip, request.body.count >= WireRequest.smallestPackedBody,
            let packed = Gzip.compress(request.body)
        else {
            body = request.body
            return
        }
        body = packed
        headers.append(("Content-Encoding", "gzip"))
    }

    private mutating func setDefault(_ value: String, for name: String) {
        let isThere = headers.contains { $0.name.lowercased() == name.lowercased() }
        if !isThere { headers.append((name, value)) }
    }
}
