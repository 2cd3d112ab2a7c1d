#if canImport(Darwin)
import Foundation
import Testing

@testable import HTTPTransport

@Suite struct URLRequestTests {
    @Test(arguments: [
        (Duration.milliseconds(1), 2.0), (.milliseconds(1500), 3), (.seconds(28), 30), (.seconds(1_000_000), 30),
    ]) func `the session's time-out is later than the timeout, and at most the idle limit`(
        timeout: Duration,
        seconds: Double
    ) throws {
        let request = URLRequest(try #require(WireRequest(try post())), timeout: timeout)

        #expect(request.timeoutInterval == seconds)
    }

    private func post() throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://collector.example/")), body: [1, 2, 3])
    }
}

@Suite struct TransportErrorURLErrorTests {
    @Test(arguments: [
        (URLError.Code.timedOut, TransportError.timedOut), (.cancelled, .cancelled),
        (.serverCertificateUntrusted, .untrusted), (.secureConnectionFailed, .handshakeFailed),
        (.cannotParseResponse, .invalidResponse), (.unsupportedURL, .invalidResponse),
        (.cannotConnectToHost, .connectionRefused),
        (.networkConnectionLost, .connectionLost),
        (.unknown, .connectionFailed(code: -1)),
    ]) func `each URLError code maps to an error`(code: URLError.Code, meaning: TransportError) {
        #expect(TransportError(URLError(code)) == meaning)
    }

    @Test(arguments: [
        ("SSL certificate problem: self-signed certificate", TransportError.untrusted),
        ("SSL certificate problem: certificate has expired", .untrusted),
        ("SSL: no alternative certificate subject name matches target host name 'a'", .untrusted),
        ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .untrusted),
        ("OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:443", .connectionFailed(code: -1)),
        ("Recv failure: Connection reset by peer", .connectionFailed(code: -1)),
        ("transfer closed with 3 bytes remaining to read", .connectionFailed(code: -1)),
    ]) func `a refused certificate is distinguished from a broken connection`(text: String, meaning: TransportError) {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])

        #expect(TransportError(error) == meaning)
    }

    @Test func `any other error is a failed connection`() {
        #expect(TransportError(CancellationError()) == .connectionFailed(code: -1))
        #expect(TransportError(nil) == .connectionFailed(code: -1))
    }
}
#endif
