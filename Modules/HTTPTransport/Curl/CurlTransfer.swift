#if !canImport(Darwin)
import CCurl
import Foundation

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
        sink.answer.result(code, detail: String(cString: message))
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
#endif
