#if !canImport(Darwin)
import CCurl

/// A parser that collects the head and body of a response within the size limits, and validates the result.
struct CurlResponse {
    private static let packings: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress"]

    private var status = 0
    private var fields: [String: String] = [:]
    private var body: [UInt8] = []
    private var headBytes = 0
    private var interims = 0
    private var lastName: String?
    /// Whether the blank line after the head of the final response has arrived.
    private var isHeadComplete = false
    /// Whether the response was cut after its head, because it is too long.
    private var isCut = false
    /// Whether the transfer was stopped because the data is not a valid response.
    private var isRefused = false

    /// Parses one line of a head or of a trailer.
    ///
    /// - Parameter line: The line, with its line break.
    /// - Returns: `false` to stop the transfer.
    mutating func receive(line: Span<UInt8>) -> Bool {
        headBytes += line.count
        guard !isHeadComplete else {
            isCut = headBytes > ResponseLimits.maximumHead
            return !isCut
        }
        guard headBytes <= ResponseLimits.maximumHead else { return refuse() }
        let bytes = line.withUnsafeBufferPointer { $0.filter { $0 != 0x0D && $0 != 0x0A } }
        if bytes.isEmpty {
            isHeadComplete = status >= 200
            return true
        }
        if bytes.starts(with: "HTTP/".utf8) { return receive(statusLine: bytes) }
        return receive(field: String(decoding: bytes, as: UTF8.self))
    }

    /// Appends a part of the body.
    ///
    /// - Parameter part: The bytes.
    /// - Returns: `false` to stop the transfer.
    mutating func receive(part: Span<UInt8>) -> Bool {
        let room = ResponseLimits.maximumBody - body.count
        part.withUnsafeBufferPointer { body.append(contentsOf: $0.prefix(room)) }
        isCut = part.count > room
        return !isCut
    }

    /// Returns the response, or the reason that there is none.
    ///
    /// A response needs a complete head. Its body may be incomplete.
    ///
    /// - Parameters:
    ///   - code: The code with which libcurl ended the transfer.
    ///   - detail: The text in libcurl's error buffer.
    ///   - systemError: The `errno` of the last connection attempt, or 0 if there is none.
    /// - Returns: The response, or the error of the transfer.
    func result(
        _ code: CURLcode,
        detail: String,
        systemError: Int32 = 0
    ) -> Result<HTTPResponse, TransportError> {
        guard !isRefused else { return .failure(.invalidResponse) }
        guard isHeadComplete else {
            // libcurl accepts a head that ends with its connection, even after the first line.
            let isAccepted = code == CURLE_OK
            let error = TransportError(code, detail: detail, systemError: systemError)
            return .failure(isAccepted ? .invalidResponse : error)
        }
        let isPacked = CurlResponse.packings.contains(fields["content-encoding"]?.lowercased() ?? "")
        var response = HTTPResponse(status: status, headers: fields, body: isPacked ? [] : body)
        guard response.hasReadableLength else { return .failure(.invalidResponse) }
        if isCut || isPacked { response.extent = .limited } else if code != CURLE_OK { response.extent = .interrupted }
        return .success(response)
    }

    private mutating func receive(statusLine bytes: [UInt8]) -> Bool {
        (fields, lastName) = ([:], nil)
        guard let space = bytes.firstIndex(of: 0x20) else { return refuse() }
        let digits = String(decoding: bytes[(space + 1)...].prefix { $0 != 0x20 }, as: UTF8.self)
        guard digits.utf8.count == 3, let status = Int(digits), (100...999).contains(status) else { return refuse() }
        self.status = status
        if status < 200 { interims += 1 }
        return interims <= ResponseLimits.maximumInterims || refuse()
    }

    private mutating func receive(field line: String) -> Bool {
        if line.hasPrefix(" ") || line.hasPrefix("\t") {
            if let lastName { fields[lastName, default: ""] += " " + CurlResponse.trimmed(line[...]) }
            return true
        }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return refuse() }
        let name = line[..<colon].lowercased()
        guard !name.isEmpty, !name.utf8.contains(where: { $0 <= 0x20 }) else { return refuse() }
        let value = CurlResponse.trimmed(line[line.utf8.index(after: colon)...])
        fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        lastName = name
        return true
    }

    private mutating func refuse() -> Bool {
        isRefused = true
        return false
    }

    private static func trimmed(_ text: Substring) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let bytes = text.utf8.drop(while: isSpace)
        let end = bytes.lastIndex { !isSpace($0) }.map { bytes.index(after: $0) } ?? bytes.startIndex
        return String(bytes[..<end]) ?? ""
    }
}
#endif
