#if canImport(Darwin) || URLSESSION_ON_LINUX
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Translates what a session reports.
    ///
    /// FoundationNetworking has one code, `unknown`, for failures of TLS, cut bodies and heads that are no HTTP. A
    /// certificate or a protocol that was refused is told from them by libcurl's own words; what these do not say is a
    /// failed connection, which is tried again. No body is sent in either case. So is a handshake that broke without a
    /// word about a certificate (−1200): a captive portal does that to every host until the user has signed in.
    init(_ error: (any Error)?) {
        let code = (error as? URLError)?.code ?? .unknown
        switch code {
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired:
            self = .untrusted
        case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .dataLengthExceedsMaximum, .httpTooManyRedirects:
            self = .invalidResponse
        case .unknown where TransportError.isRefusalOfTrust(error?.localizedDescription ?? ""): self = .untrusted
        default: self = .connectionFailed(code: code.rawValue)
        }
    }

    private static func isRefusalOfTrust(_ text: String) -> Bool {
        ["SSL certificate problem", "SSL: no alternative certificate", "SSL routines"].contains { text.contains($0) }
    }
}
#endif
