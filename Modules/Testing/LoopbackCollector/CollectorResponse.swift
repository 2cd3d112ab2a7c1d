/// A well-formed response.
public struct CollectorResponse: Sendable, Hashable {
    /// A header field, which is sent unchanged even if it is not valid.
    public struct Header: Sendable, Hashable {
        /// The field's name.
        public var name: String
        /// The field's value.
        public var value: String

        /// Creates a header field.
        ///
        /// - Parameters:
        ///   - name: The field's name.
        ///   - value: The field's value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The status code.
    public var status: Int
    /// The header fields.
    ///
    /// `Content-Length` is added automatically.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - body: The body.
    public init(_ status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates a response with a text as its body.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields.
    ///   - text: The body, which is sent as UTF-8.
    public init(_ status: Int, headers: [Header] = [], text: String) {
        self.init(status, headers: headers, body: Array(text.utf8))
    }

    /// Returns a redirect.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - url: The value of the field `Location`.
    /// - Returns: The response.
    public static func redirect(_ status: Int, to url: String) -> CollectorResponse {
        CollectorResponse(status, headers: [Header("Location", url)])
    }

    /// Returns a response with a small gzip body that decompresses to a large size.
    ///
    /// - Parameter unpackedBytes: The decompressed size, at most 1 GiB.
    /// - Returns: The response.
    package static func gzipBomb(unpackedBytes: Int) -> CollectorResponse {
        CollectorResponse(
            200,
            headers: [Header("Content-Encoding", "gzip")],
            body: GzipStream.zeros(count: unpackedBytes)
        )
    }

    /// Returns a response with one large header field.
    ///
    /// - Parameter bytes: The length of the field's value.
    /// - Returns: The response.
    package static func hugeHeader(bytes: Int) -> CollectorResponse {
        CollectorResponse(200, headers: [Header("X-Huge", String(repeating: "x", count: max(0, bytes)))])
    }

    /// Returns the head as it is sent.
    ///
    /// Without a declared length, the body ends with the connection.
    func head(declaredLength: Int?) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(status < 300 ? "OK" : "Status")\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        let isBodiless = (100..<200).contains(status) || status == 204 || status == 304
        if let declaredLength, !isBodiless || declaredLength > 0 { text += "Content-Length: \(declaredLength)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
