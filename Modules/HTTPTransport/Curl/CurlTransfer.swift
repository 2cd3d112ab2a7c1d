#if !canImport(Darwin)
import CCurl
import FoundationEssentials

/// One transfer: an easy handle, and all that libcurl keeps the addresses of.
///
/// One thread makes it, uses it and lets go of it. Its owner takes it out of its multi handle before it lets go.
final class CurlTransfer {
    /// Where libcurl leaves an answer.
    ///
    /// It is not the transfer itself, so that no callback meets an object in `deinit`.
    private final class Sink {
        var answer = CurlAnswer()
    }

    /// A receiver at full speed is read in small parts, so that the loop comes back to the other transfers in between.
    private static let bufferSize = 1024

    /// libcurl's handle.
    let handle: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>
    private let sink = Sink()

    /// Prepares a transfer; `nil` when libcurl cannot.
    init?(_ exchange: CurlExchange, _ configuration: CurlConfiguration, _ sockets: CurlSockets, timeout: Duration) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        var options = CurlOptions(handle)
        options.setLimits(timeout: timeout, bufferSize: CurlTransfer.bufferSize)
        options.setTrust(configuration)
        options.setRequest(exchange.request)
        guard options.areSet, appendHeaders(of: exchange.request), sockets.attach(to: handle),
            ccurl_set_id(handle, exchange.id) == CURLE_OK, ccurl_set_error_buffer(handle, message) == CURLE_OK
        else { return nil }
        let context = Unmanaged.passUnretained(sink).toOpaque()
        guard ccurl_set_sinks(handle, CurlTransfer.headSink, CurlTransfer.bodySink, context) == CURLE_OK else {
            return nil
        }
    }

    /// Ends the handle while all that it has the addresses of is still there.
    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        message.deallocate()
    }

    /// What has come of the transfer, which libcurl has ended with this code.
    func result(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
        sink.answer.result(code, detail: String(cString: message), systemError: ccurl_system_error(handle))
    }

    /// libcurl reads `Name:` as the wish to leave a header out, and `Name;` as an empty one.
    private func appendHeaders(of request: WireRequest) -> Bool {
        var lines = request.headers.map { name, value in
            value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 } ? "\(name);" : "\(name): \(value)"
        }
        lines.append("Expect:")
        for line in lines {
            guard let longer = curl_slist_append(headers, line) else { return false }
            headers = longer
        }
        return ccurl_set_headers(handle, headers) == CURLE_OK
    }

    private static let headSink: ccurl_sink = { bytes, size, count, context in
        CurlTransfer.take(bytes, size * count, context) { $0.take(line: $1) }
    }

    private static let bodySink: ccurl_sink = { bytes, size, count, context in
        CurlTransfer.take(bytes, size * count, context) { $0.take(part: $1) }
    }

    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ take: (inout CurlAnswer, Span<UInt8>) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
        let part = UnsafeRawBufferPointer(start: bytes, count: count)
        return part.withMemoryRebound(to: UInt8.self) { take(&sink.answer, $0.span) } ? count : -1
    }
}

/// Sets the options of an easy handle, and remembers whether libcurl took them all.
struct CurlOptions {
    private let handle: UnsafeMutableRawPointer
    /// Whether no option has been refused so far.
    private(set) var areSet = true

    /// Prepares the options of a handle.
    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    /// Sets what binds every transfer: nothing is done that the request does not say, or beyond its time.
    ///
    /// libcurl's time-out divides the time between a host's addresses; the loop has a deadline of its own.
    mutating func setLimits(timeout: Duration, bufferSize: Int) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_TIMEOUT_MS, max(1, timeout.milliseconds))
        set(CURLOPT_BUFFERSIZE, bufferSize)
        check(ccurl_set_protocols(handle))
        ccurl_set_quick_exit(handle)
    }

    /// Sets who is trusted, and the proxy.
    mutating func setTrust(_ configuration: CurlConfiguration) {
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        ccurl_skip_key_log(handle)
        set(CURLOPT_PROXY, configuration.proxy?.absoluteString ?? "")
        if let file = configuration.authorities { set(CURLOPT_CAINFO, file.path(percentEncoded: false)) }
        // Only without a folder of authorities does libcurl (7.87 and later) keep the file's between connections, of
        // which each costs 20 ms of processor time otherwise.
        if configuration.authorities != nil || CurlLibrary.hasAuthoritiesFile {
            check(ccurl_set_text(handle, CURLOPT_CAPATH, nil))
        }
        if !configuration.pinnedKeys.isEmpty {
            set(CURLOPT_PINNEDPUBLICKEY, configuration.pinnedKeys.map { "sha256//\($0.base64)" }.joined(separator: ";"))
        }
    }

    /// Sets where to, how and what.
    mutating func setRequest(_ request: WireRequest) {
        set(CURLOPT_URL, request.url.absoluteString)
        switch request.method {
        case "GET": set(CURLOPT_HTTPGET, 1)
        case "HEAD": set(CURLOPT_NOBODY, 1)
        default:
            set(CURLOPT_POST, 1)
            if request.method != "POST" { set(CURLOPT_CUSTOMREQUEST, request.method) }
            check((request.body ?? []).withUnsafeBytes { ccurl_set_body(handle, $0.baseAddress, $0.count) })
        }
    }

    private mutating func set(_ option: CURLoption, _ value: Int) { check(ccurl_set_long(handle, option, value)) }

    private mutating func set(_ option: CURLoption, _ value: String) { check(ccurl_set_text(handle, option, value)) }

    private mutating func check(_ code: CURLcode) { areSet = areSet && code == CURLE_OK }
}
#endif
