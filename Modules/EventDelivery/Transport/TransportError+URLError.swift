import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension TransportError {
    /// Translates what a session reports.
    ///
    /// FoundationNetworking has one code, `unknown`, for failures of TLS, cut bodies and heads that are no HTTP. The
    /// first is told from the others by `isHandshake`: nothing of the body has been sent on a connection with TLS.
    init(_ error: (any Error)?, isHandshake: Bool) {
        let code = (error as? URLError)?.code ?? .unknown
        switch code {
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired:
            self = .untrusted
        case .unsupportedURL, .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData,
            .dataLengthExceedsMaximum, .httpTooManyRedirects:
            self = .invalidResponse
        case .unknown where isHandshake: self = .untrusted
        default: self = .connectionFailed(code: code.rawValue)
        }
    }
}
