/// A well-formed answer.
public struct CollectorResponse: Sendable, Hashable {
    /// One header field; names and values are written as they are, valid or not.
    public struct Header: Sendable, Hashable {
        /// The field's name.
        public var name: String
        /// The field's value.
        public var value: String

        /// Creates a header field.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The status code.
    public var status: Int
    /// The header fields; `Content-Length` is added.
    public var headers: [Header]
    /// The body.
    public var body: [UInt8]

    /// Creates an answer.
    public init(_ status: Int, headers: [Header] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Creates an answer with a text as body.
    public init(_ status: Int, headers: [Header] = [], text: String) {
        self.init(status, headers: headers, body: Array(text.utf8))
    }

    /// An answer that sends the client elsewhere.
    public static func redirect(_ status: Int, to url: String) -> CollectorResponse {
        CollectorResponse(status, headers: [Header("Location", url)])
    }

    /// An answer whose body is small on the wire and this large when it is unpacked.
    public static func gzipBomb(unpackedBytes: Int) -> CollectorResponse {
        CollectorResponse(200, headers: [Header("Content-Encoding", "gzip")], body: Gzip.zeros(count: unpackedBytes))
    }

    /// An answer with one header field of this size.
    public static func hugeHeader(bytes: Int) -> CollectorResponse {
        CollectorResponse(200, headers: [Header("X-Huge", String(repeating: "x", count: max(0, bytes)))])
    }

    /// The head as it goes over the wire; without a declared length the body lasts until the connection ends.
    func head(declaredLength: Int?) -> [UInt8] {
        var text = "HTTP/1.1 \(status) \(status < 300 ? "OK" : "Status")\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        let isBodiless = (100..<200).contains(status) || status == 204 || status == 304
        if let declaredLength, !isBodiless || declaredLength > 0 { text += "Content-Length: \(declaredLength)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
