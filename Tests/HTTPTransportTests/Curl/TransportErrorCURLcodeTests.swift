#if !canImport(Darwin)
import CCurl
import Testing

@testable import HTTPTransport

@Suite struct TransportErrorCURLcodeTests {
    @Test(arguments: [
        (CURLE_OPERATION_TIMEDOUT, TransportError.timedOut), (CURLE_PEER_FAILED_VERIFICATION, .untrusted),
        (CURLE_SSL_PINNEDPUBKEYNOTMATCH, .untrusted), (CURLE_SSL_CACERT_BADFILE, .untrusted),
        (CURLE_WEIRD_SERVER_REPLY, .invalidResponse), (CURLE_UNSUPPORTED_PROTOCOL, .invalidResponse),
        (CURLE_OUT_OF_MEMORY, .invalidResponse), (CURLcode(100), .invalidResponse),
        (CURLE_COULDNT_CONNECT, .connectionFailed(code: 7)), (CURLE_COULDNT_RESOLVE_HOST, .connectionFailed(code: 6)),
        (CURLE_PARTIAL_FILE, .connectionFailed(code: 18)), (CURLE_GOT_NOTHING, .connectionFailed(code: 52)),
    ]) func `each code of libcurl has its meaning`(code: CURLcode, meaning: TransportError) {
        #expect(TransportError(code, detail: "") == meaning)
    }

    @Test(arguments: [
        (CURLE_SSL_CONNECT_ERROR, "error:0A00010B:SSL routines::wrong version number", true),
        (CURLE_SSL_CONNECT_ERROR, "error:0A000126:SSL routines::unexpected eof while reading", false),
        (CURLE_SSL_CONNECT_ERROR, "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to a:443", false),
        (CURLE_RECV_ERROR, "error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0", true),
        (CURLE_RECV_ERROR, "Recv failure: Connection reset by peer", false),
        (CURLE_SEND_ERROR, "Send failure: Broken pipe", false),
    ]) func `F46 a refused handshake is told from a broken one by its text`(
        code: CURLcode,
        text: String,
        isRefusal: Bool
    ) {
        let error = TransportError(code, detail: text)

        #expect(error == (isRefusal ? .untrusted : .connectionFailed(code: Int(code.rawValue))))
    }
}
#endif
