#if !canImport(Darwin)
import CCurl
import Testing

@testable import HTTPTransport

@Suite struct TransportErrorCURLcodeTests {
    @Test(arguments: [
        (CURLE_OPERATION_TIMEDOUT, TransportError.timedOut), (CURLE_PEER_FAILED_VERIFICATION, .untrusted),
        (CURLE_SSL_PINNEDPUBKEYNOTMATCH, .untrusted), (CURLE_SSL_CACERT_BADFILE, .unreadableAuthorities),
        (CURLE_SSL_CERTPROBLEM, .unusableCertificate),
        (CURLE_WEIRD_SERVER_REPLY, .invalidResponse), (CURLE_UNSUPPORTED_PROTOCOL, .invalidResponse),
        (CURLE_OUT_OF_MEMORY, .invalidResponse), (CURLcode(100), .invalidResponse),
        (CURLE_COULDNT_CONNECT, .connectionFailed(code: 7)), (CURLE_COULDNT_RESOLVE_HOST, .hostNotFound),
        (CURLE_PARTIAL_FILE, .connectionLost), (CURLE_GOT_NOTHING, .connectionLost),
    ]) func `each code of libcurl maps to an error`(code: CURLcode, meaning: TransportError) {
        #expect(TransportError(code, detail: "") == meaning)
    }

    @Test(arguments: [
        (ECONNREFUSED, TransportError.connectionRefused), (ETIMEDOUT, .timedOut),
        (ENETUNREACH, .connectionFailed(code: 7)), (0, .connectionFailed(code: 7)),
    ]) func `the system's error is the cause of a failed connection`(systemError: Int32, meaning: TransportError) {
        #expect(TransportError(CURLE_COULDNT_CONNECT, detail: "", systemError: systemError) == meaning)
    }

    @Test func `a certificate for another host is distinguished from an untrusted one`() {
        let text = "SSL: no alternative certificate subject name matches target host name 'a.example'"

        #expect(TransportError(CURLE_PEER_FAILED_VERIFICATION, detail: text) == .hostMismatch)
    }

    @Test func `a code of libcurl is described`() {
        let error = TransportError.connectionFailed(code: 7)

        #expect(error.description == "connection failed: Couldn't connect to server (libcurl 7)")
    }

    @Test(arguments: [
        (CURLE_SSL_CONNECT_ERROR, "error:0A00010B:SSL routines::wrong version number", true),
        (CURLE_SSL_CONNECT_ERROR, "error:0A000126:SSL routines::unexpected eof while reading", false),
        (CURLE_SSL_CONNECT_ERROR, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:443", false),
        (CURLE_RECV_ERROR, "error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", true),
        (CURLE_RECV_ERROR, "Recv failure: Connection reset by peer", false),
        (CURLE_SEND_ERROR, "Send failure: Broken pipe", false),
    ]) func `a refused handshake is distinguished from a broken one by its text`(
        code: CURLcode,
        text: String,
        isRefusal: Bool
    ) {
        let broken: TransportError = code == CURLE_SSL_CONNECT_ERROR ? .handshakeFailed : .connectionLost

        let error = TransportError(code, detail: text)

        #expect(error == (isRefusal ? .untrusted : broken))
    }
}
#endif
