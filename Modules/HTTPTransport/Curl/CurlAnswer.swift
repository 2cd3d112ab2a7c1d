#if !canImport(Darwin)
import CCurl
import Locks

/// Gathers an answer's head and body within their limits, and judges whether they are whole.
struct CurlAnswer {
    private static let packings: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd", "compress"]

    private var status = 0
    private var fields: [String: String] = [:]
    private var body: [UInt8] = []
    private var headBytes = 0
    private var interims = 0
    private var lastName: String?
    /// Whether the blank line after the head of the answer has come, interim answers excepted.
    private var isHeadComplete = false
    /// Whether it has ended behind its head, because it was too long.
    private var isCut = false
    /// Whether it has ended because it is no answer.
    private var isRefused = false

    /// Takes one line of a head or of a trailer; `false` ends the transfer.
    mutating func take(line: Span<UInt8>) -> Bool {
        headBytes += line.count
        guard !isHeadComplete else {
            isCut = headBytes > AnswerLimits.maximumHead
            return !isCut
        }
        guard headBytes <= AnswerLimits.maximumHead else { return refuse() }
        let bytes = line.withUnsafeBufferPointer { $0.filter { $0 != 0x0D && $0 != 0x0A } }
        if bytes.isEmpty {
            isHeadComplete = status >= 200
            return true
        }
        if bytes.starts(with: "HTTP/".utf8) { return take(statusLine: bytes) }
        return take(field: String(decoding: bytes, as: UTF8.self))
    }

    /// Takes a part of the body; `false` ends the transfer.
    mutating func take(part: Span<UInt8>) -> Bool {
        let room = AnswerLimits.maximumBody - body.count
        part.withUnsafeBufferPointer { body.append(contentsOf: $0.prefix(room)) }
        isCut = part.count > room
        return !isCut
    }

    /// What has come, when libcurl has ended the transfer with this code and text.
    ///
    /// The page of an error says what it has to say in its head: it may be cut. An answer that claims success may not.
    func result(
        _ code: CURLcode,
        detail: String,
        systemError: Int32 = 0
    ) -> Result<HTTPResponse, TransportError> {
        guard !isRefused else { return .failure(.invalidResponse) }
        guard code == CURLE_OK || isCut else {
            return .failure(TransportError(code, detail: detail, systemError: systemError))
        }
        let response = HTTPResponse(status: status, headers: fields, body: body)
        // libcurl is content with a head that ends with its connection, even after the first line.
        guard isHeadComplete, !isCut || status >= 300, response.hasReadableLength,
            !CurlAnswer.packings.contains(fields["content-encoding"]?.lowercased() ?? "")
        else { return .failure(.invalidResponse) }
        return .success(response)
    }

    private mutating func take(statusLine bytes: [UInt8]) -> Bool {
        (fields, lastName) = ([:], nil)
        guard let space = bytes.firstIndex(of: 0x20) else { return refuse() }
        let digits = String(decoding: bytes[(space + 1)...].prefix { $0 != 0x20 }, as: UTF8.self)
        guard digits.utf8.count == 3, let status = Int(digits), (100...999).contains(status) else { return refuse() }
        self.status = status
        if status < 200 { interims += 1 }
        return interims <= AnswerLimits.maximumInterims || refuse()
    }

    private mutating func take(field line: String) -> Bool {
        if line.hasPrefix(" ") || line.hasPrefix("\t") {
            if let lastName { fields[lastName, default: ""] += " " + CurlAnswer.trimmed(line[...]) }
            return true
        }
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { return refuse() }
        let name = line[..<colon].lowercased()
        guard !name.isEmpty, !name.utf8.contains(where: { $0 <= 0x20 }) else { return refuse() }
        let value = CurlAnswer.trimmed(line[line.utf8.index(after: colon)...])
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

/// One request under way: whoever answers first is heard.
final class CurlExchange: Sendable {
    private struct State {
        var sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>?
        var loop: CurlLoop?
    }

    /// The number by which its transport and libcurl know it; never 0.
    let id: UInt
    /// What is sent.
    let request: WireRequest
    /// When it has to have ended.
    let deadline: ContinuousClock.Instant
    private let state = Mutex(State())

    /// Creates an exchange that has not begun.
    init(id: UInt, _ request: WireRequest, deadline: ContinuousClock.Instant) {
        self.id = id
        self.request = request
        self.deadline = deadline
    }

    /// The loop that carries it out, from its start to its answer.
    var loop: CurlLoop? { state.withLock(\.loop) }

    /// Takes who waits for the answer.
    func begin(_ sender: CheckedContinuation<Result<HTTPResponse, TransportError>, Never>) {
        state.withLock { $0.sender = sender }
    }

    /// Takes the loop that carries it out.
    func enter(_ loop: CurlLoop) {
        state.withLock { $0.loop = loop }
    }

    /// Answers, unless somebody has.
    func answer(_ result: Result<HTTPResponse, TransportError>) {
        let sender = state.withLock { state in
            defer { (state.sender, state.loop) = (nil, nil) }
            return state.sender
        }
        sender?.resume(returning: result)
    }
}
#endif
