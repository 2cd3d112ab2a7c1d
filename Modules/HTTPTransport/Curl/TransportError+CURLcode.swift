#if !canImport(Darwin)
import CCurl

extension TransportError {
    /// Translates what libcurl reports.
    ///
    /// The code of a failed handshake does not tell one that was refused from one that was cut off. CURLINFO_OS_ERRNO
    /// does not either: it may be left over from another address of the same host. OpenSSL's text does; 8.14 words a
    /// mere end of the connection as an unexpected EOF in its routines.
    init(_ code: CURLcode, detail: String) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE,
            CURLE_USE_SSL_FAILED, CURLcode(98):  // CURLE_SSL_CLIENTCERT, new in 7.77
            self = .untrusted
        case CURLE_SSL_CONNECT_ERROR, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            let isRefused = detail.contains("SSL routines") && !detail.contains("unexpected eof")
            self = isRefused ? .untrusted : .connectionFailed(code: Int(code.rawValue))
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2_STREAM, CURLE_BAD_CONTENT_ENCODING,
            CURLE_FILESIZE_EXCEEDED, CURLE_WRITE_ERROR, CURLE_OUT_OF_MEMORY,  // a line beyond 100 kB, 7.88
            CURLcode(100):  // CURLE_TOO_LARGE, new in 8.6: such a line
            self = .invalidResponse
        default: self = .connectionFailed(code: Int(code.rawValue))
        }
    }
}
#endif
