import EventDelivery
import Foundation
import HTTPTransport

extension HTTPRequest {
    /// The number of bytes that HTTP/1.1 sends for the request, without TLS.
    ///
    /// The body counts as it is sent, so after compression. The client's own header fields, such as `User-Agent`, do
    /// not count. It is 0 if the request is not valid for HTTP.
    var wireByteCount: Int {
        guard let wire = WireRequest(self) else { return 0 }
        let body = wire.body ?? []
        let query = wire.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let line = "\(wire.method) \(wire.url.path(percentEncoded: true))\(query) HTTP/1.1\r\n"
        let port = wire.url.port.map { ":\($0)" } ?? ""
        let framing = [("Host", (wire.url.host() ?? "") + port), ("Content-Length", "\(body.count)")]
        let head = (wire.headers + framing).map { "\($0.0): \($0.1)\r\n" }.joined()
        return line.utf8.count + head.utf8.count + "\r\n".utf8.count + body.count
    }
}
