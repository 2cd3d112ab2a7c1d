#if !canImport(Darwin)
import CCurl
import FoundationEssentials

/// A transfer: an easy handle and the memory to which libcurl keeps pointers.
///
/// One thread creates, uses and releases it. Its owner removes the handle from its multi handle before the release.
final class CurlTransfer {
    /// The object to which libcurl passes a response.
    ///
    /// It is separate from the transfer, because a callback must not access an object during its `deinit`.
    private final class Sink {
        var response = CurlResponse()
    }

    /// The receive buffer of libcurl, in bytes.
    ///
    /// It is small, because a fast receiver must not keep the loop from other transfers.
    private static let bufferSize = 1024

    /// The easy handle of libcurl.
    let handle: UnsafeMutableRawPointer
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>
    private let sink = Sink()
    private let configuration: CurlConfiguration

    /// Prepares a transfer, or returns `nil` if libcurl rejects an option.
    init?(_ exchange: CurlExchange, _ configuration: CurlConfiguration, _ sockets: CurlSockets, timeout: Duration) {
        guard let handle = curl_easy_init() else { return nil }
        self.handle = handle
        self.configuration = configuration
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        var options = CurlOptions(handle)
        options.setLimits(timeout: timeout, idleSeconds: configuration.idleSeconds, bufferSize: CurlTransfer.bufferSize)
        options.setTrust(configuration)
        options.setRequest(exchange.request)
        let context = Unmanaged.passUnretained(sink).toOpaque()
        guard options.areSet, appendHeaders(of: exchange.request), sockets.attach(to: handle),
            ccurl_set_id(handle, exchange.id) == CURLE_OK, ccurl_set_error_buffer(handle, message) == CURLE_OK,
            ccurl_set_sinks(handle, CurlTransfer.headSink, CurlTransfer.bodySink, context) == CURLE_OK
        else { return nil }
    }

    /// Frees the handle before the memory to which it has pointers.
    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        message.deallocate()
    }

    /// Sets which connections and authorities the transfer may use.
    ///
    /// - Parameters:
    ///   - connectionAge: The maximum age of a kept connection in seconds, or `nil` to open a new one.
    ///   - readsAuthorities: Whether libcurl reads the file of authorities again.
    /// - Returns: Whether libcurl accepted the options.
    func set(connectionAge: Int?, readsAuthorities: Bool) -> Bool {
        ccurl_set_newer(handle, Int32(CCURL_MAXLIFETIME_CONN), connectionAge ?? 1)
        ccurl_set_newer(handle, Int32(CCURL_CA_CACHE_TIMEOUT), readsAuthorities ? 0 : 60)
        return ccurl_set_long(handle, CURLOPT_FRESH_CONNECT, connectionAge == nil ? 1 : 0) == CURLE_OK
    }

    /// Returns the response of the transfer, which libcurl ended with a code.
    ///
    /// A fault of the configured proxy is not a response of the receiver.
    func result(_ code: CURLcode) -> Result<HTTPResponse, TransportError> {
        let detail = String(cString: message)
        let result = sink.response.result(code, detail: detail, systemError: ccurl_system_error(handle))
        guard let proxy = configuration.proxy(":") else { return result }
        let status = Int(ccurl_proxy_status(handle))
        if case .success(let response) = result {
            return response.status == 407 ? .failure(.proxyFailed(proxy: proxy, status: 407)) : result
        }
        let codes = [CURLE_COULDNT_RESOLVE_PROXY, CURLcode(97)]  // CURLE_PROXY, new in 7.73
        guard status >= 300 || codes.contains(code) || configuration.isProxyNamed(in: detail) else { return result }
        return .failure(.proxyFailed(proxy: proxy, status: status == 0 ? nil : status))
    }

    /// Sets the headers.
    ///
    /// In libcurl's syntax, `Name:` removes a header and `Name;` sends an empty one.
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
        CurlTransfer.receive(bytes, size * count, context) { $0.receive(line: $1) }
    }

    private static let bodySink: ccurl_sink = { bytes, size, count, context in
        CurlTransfer.receive(bytes, size * count, context) { $0.receive(part: $1) }
    }

    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?,
        _ count: Int,
        _ context: UnsafeMutableRawPointer?,
        _ receive: (inout CurlResponse, Span<UInt8>) -> Bool
    ) -> Int {
        guard let context else { return 0 }
        let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
        let part = UnsafeRawBufferPointer(start: bytes, count: count)
        return part.withMemoryRebound(to: UInt8.self) { receive(&sink.response, $0.span) } ? count : -1
    }
}

/// The options of an easy handle, which record whether libcurl accepted all of them.
struct CurlOptions {
    private let handle: UnsafeMutableRawPointer
    /// Whether libcurl has accepted all options so far.
    private(set) var areSet = true

    /// Creates options for a handle.
    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    /// Sets the options of every transfer: no implicit behavior, and a time limit.
    ///
    /// libcurl's time-out divides the time between a host's addresses. The loop enforces the deadline separately. A
    /// transfer also ends if it has no connection, or moves less than one byte per second, for the idle limit.
    mutating func setLimits(timeout: Duration, idleSeconds: Int, bufferSize: Int) {
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        set(CURLOPT_PATH_AS_IS, 1)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        set(CURLOPT_TIMEOUT_MS, max(1, timeout.milliseconds))
        set(CURLOPT_CONNECTTIMEOUT, idleSeconds)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, idleSeconds)
        set(CURLOPT_BUFFERSIZE, bufferSize)
        check(ccurl_set_protocols(handle))
        // A new connection finds the present address of the receiver's name.
        set(CURLOPT_DNS_CACHE_TIMEOUT, 0)
        ccurl_set_newer(handle, Int32(CCURL_QUICK_EXIT), 1)
    }

    /// Sets the trusted authorities, the pinned keys, the client's certificate and the proxy.
    mutating func setTrust(_ configuration: CurlConfiguration) {
        set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        ccurl_skip_key_log(handle)
        set(CURLOPT_PROXY, configuration.proxy?.absoluteString ?? "")
        // Without it, libcurl reads `NO_PROXY` of the environment, also for a configured proxy.
        set(CURLOPT_NOPROXY, configuration.proxyExceptions.split { ", \t\n".contains($0) }.joined(separator: ","))
        if let file = configuration.clientCertificate {
            set(CURLOPT_SSLCERT, file.path(percentEncoded: false))
            set(CURLOPT_SSLKEY, (configuration.clientKey ?? file).path(percentEncoded: false))
            // A resumed session would keep the identity of an earlier certificate.
            set(CURLOPT_SSL_SESSIONID_CACHE, 0)
        }
        if let file = configuration.authorities { set(CURLOPT_CAINFO, file.path(percentEncoded: false)) }
        // libcurl 7.87 and later caches the file's authorities between connections only if no folder is set. Without
        // the cache, each connection costs 20 ms of processor time.
        if configuration.authorities != nil || CurlLibrary.hasAuthoritiesFile {
            check(ccurl_set_text(handle, CURLOPT_CAPATH, nil))
        }
        if !configuration.pinnedKeys.isEmpty {
            set(CURLOPT_PINNEDPUBLICKEY, configuration.pinnedKeys.map { "sha256//\($0.base64)" }.joined(separator: ";"))
        }
    }

    /// Sets the URL, the method and the body.
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
