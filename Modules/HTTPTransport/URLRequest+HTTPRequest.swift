import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Bodies below this size are not worth compressing.
    private static let smallestPackedBody = 1024
    /// The headers that frame the message or govern the connection; they are the transport's own.
    private static let reservedHeaders: Set<String> = [
        "connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    /// Writes a request as the session takes it; `nil` when its URL or method cannot go over HTTP.
    ///
    /// A session's own time-out counts whole seconds (on Linux, and there only if it is set after the creation). It
    /// stands behind the deadline, for a request that the deadline's cancelling does not reach.
    init?(_ request: HTTPRequest, deadline: Duration) {
        guard ["http", "https"].contains(request.url.scheme?.lowercased()), request.url.host()?.isEmpty == false,
            request.url.user() == nil, request.url.password() == nil,
            let method = try? HTTPHeader(request.method, "").name
        else { return nil }
        self.init(url: request.url)
        httpMethod = method
        timeoutInterval = Double(min(max(deadline.components.seconds, 0), 86_400) + 2)
        cachePolicy = .reloadIgnoringLocalCacheData
        httpShouldHandleCookies = false
        for header in request.headers where !URLRequest.reservedHeaders.contains(header.name.lowercased()) {
            addValue(header.value, forHTTPHeaderField: header.name)
        }
        setDefault("identity", for: "Accept-Encoding")
        setBody(of: request)
    }

    private mutating func setBody(of request: HTTPRequest) {
        guard !["GET", "HEAD"].contains(request.method) else { return }
        setDefault("application/octet-stream", for: "Content-Type")
        if request.allowsGzip, request.body.count >= URLRequest.smallestPackedBody,
            let packed = Gzip.compress(request.body)
        {
            setValue("gzip", forHTTPHeaderField: "Content-Encoding")
            httpBody = Data(packed)
        } else {
            httpBody = Data(request.body)
        }
    }

    private mutating func setDefault(_ value: String, for name: String) {
        if self.value(forHTTPHeaderField: name) == nil { setValue(value, forHTTPHeaderField: name) }
    }
}
