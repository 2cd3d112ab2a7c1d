#if !canImport(Darwin)
import CCurl
import Foundation

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
