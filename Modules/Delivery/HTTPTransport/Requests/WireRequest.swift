import CZlib

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A request as it is sent, with validated and completed headers and a compressed body.
///
/// All HTTP clients use it.
package struct WireRequest: Sendable {
    /// The headers that frame the message or control the connection, which only the transport may set.
    static let reservedHeaders: Set<String> = [
        "connection", "content-encoding", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te",
        "trailer", "transfer-encoding", "upgrade",
    ]

    /// The address, which has a scheme of HTTP and no credentials.
    package let url: URL
    /// The method, which is a token.
    package let method: String
    /// The headers in order, without those that frame the message.
    package private(set) var headers: [(name: String, value: String)]
    /// The body, or `nil` for methods without one.
    ///
    /// It is compressed if that is allowed and makes it smaller.
    package private(set) var body: [UInt8]?

    /// Creates the wire form of a request, or returns `nil` if its URL or method is not valid for HTTP.
    package init?(_ request: HTTPRequest) {
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
        var request = request
        request.pack()
        body = request.sentBody
        if request.isCompressed { headers.append(("Content-Encoding", "gzip")) }
    }

    private mutating func setDefault(_ value: String, for name: String) {
        let isThere = headers.contains { $0.name.lowercased() == name.lowercased() }
        if !isThere { headers.append((name, value)) }
    }
}

/// A compressor of request bodies that uses the system's zlib (RFC 1952).
package enum Gzip {
    /// A fast level, which already achieves most of the compression of JSON.
    ///
    /// The fastest one, 1, makes bodies of events 44 % larger where the system's zlib is zlib-ng.
    private static let level: Int32 = 2

    /// Compresses bytes.
    ///
    /// The result is deterministic.
    ///
    /// - Parameter bytes: The bytes to compress.
    /// - Returns: The compressed bytes, or `nil` if they would not be smaller or zlib fails. The caller then sends the
    ///   original bytes.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard !bytes.isEmpty, UInt32(exactly: bytes.count) != nil, czlib_gzip_init(&stream, level) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { source in
            let packed = [UInt8](unsafeUninitializedCapacity: source.count - 1) { target, count in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                let isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = isWhole ? target.count - Int(stream.avail_out) : 0
            }
            return packed.isEmpty ? nil : packed
        }
    }
}
