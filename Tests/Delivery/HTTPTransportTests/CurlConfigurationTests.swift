#if !canImport(Darwin)
import EventDeliveryTesting
import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct CurlConfigurationTests {
    private let folder: TemporaryQueue

    init() throws { folder = try TemporaryQueue() }

    @Test func `a receiver with an authority from a file is trusted, and its connection is kept`() async throws {
        let authority = try authority()
        let server = try await TLSServer(authority.certificate())
        let transport = CurlTransport(CurlConfiguration(authorities: authority.file))

        for _ in 1...3 { #expect(try await post(to: server.port, over: transport).get().status == 200) }

        #expect(server.requests == 3)
    }

    @Test func `a receiver of an unknown authority is untrusted, and nothing is sent to it`() async throws {
        let server = try await TLSServer(authority().certificate())
        let other = try authority()

        for configuration in [CurlConfiguration(), CurlConfiguration(authorities: other.file)] {
            #expect(try await post(to: server.port, over: CurlTransport(configuration)) == .failure(.untrusted))
        }
        #expect(server.requests == 0)
    }

    @Test(arguments: [
        ("DNS:other.example", TestAuthority.Validity.now, TransportError.hostMismatch),
        ("IP:127.0.0.2", .now, .hostMismatch), ("DNS:localhost", .past, .untrusted),
        ("DNS:localhost", .future, .untrusted),
    ]) func `a certificate of another host or time is untrusted`(
        host: String,
        validity: TestAuthority.Validity,
        error: TransportError
    ) async throws {
        let authority = try authority()
        let server = try await TLSServer(authority.certificate(for: host, valid: validity))
        let transport = CurlTransport(CurlConfiguration(authorities: authority.file))

        #expect(try await post(to: server.port, over: transport) == .failure(error))
        #expect(server.requests == 0)
    }

    @Test(arguments: ["-tls1", "-tls1_1"]) func `old versions of TLS are untrusted`(version: String) async throws {
        let authority = try authority()
        let old = [version, "-cipher", "DEFAULT@SECLEVEL=0"]
        let server = try await TLSServer(authority.certificate(), old)
        let transport = CurlTransport(CurlConfiguration(authorities: authority.file))

        #expect(try await post(to: server.port, over: transport) == .failure(.untrusted))
    }

    @Test func `a file of authorities that is not there makes every receiver untrusted`() async throws {
        let authority = try authority()
        let server = try await TLSServer(authority.certificate())
        let missing = CurlConfiguration(authorities: authority.file.appending(path: "missing"))

        #expect(try await post(to: server.port, over: CurlTransport(missing)) == .failure(.untrusted))
    }

    @Test func `a pinned key is required, and can be replaced while the old one is accepted`() async throws {
        let authority = try authority()
        let (old, new) = (try authority.certificate(), try authority.certificate())
        let server = try await TLSServer(new)
        let cases = [([new.pin], true), ([old.pin], false), ([old.pin, new.pin], true), ([new.pin, old.pin], true)]

        for (pins, isTrusted) in cases {
            let configuration = CurlConfiguration(authorities: authority.file, pinnedKeys: pins)
            let result = try await post(to: server.port, over: CurlTransport(configuration))
            #expect(isTrusted ? (try result.get().status == 200) : (result == .failure(.untrusted)))
        }
        #expect(server.requests == 3)
    }

    @Test func `a pinned key does not replace the authority`() async throws {
        let certificate = try authority().certificate()
        let server = try await TLSServer(certificate)
        let configuration = CurlConfiguration(authorities: try authority().file, pinnedKeys: [certificate.pin])

        #expect(try await post(to: server.port, over: CurlTransport(configuration)) == .failure(.untrusted))
    }

    @Test(arguments: [
        (CollectorScript.Opening.bytes(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)), true),
        (.bytes([21, 3, 3, 0, 2, 2, 40]), true), (.close, false), (.reset, false),
        (.bytes([22, 3, 3, 0, 9]), false),
    ]) func `a rejected handshake is untrusted, and a lost one is a failed connection`(
        opening: CollectorScript.Opening,
        isRefusal: Bool
    ) async throws {
        let collector = try LoopbackCollector(script: .accept.opening { opening })

        let result = try await post(to: Int(collector.port), over: CurlTransport())

        if isRefusal {
            #expect(result == .failure(.untrusted))
        } else if case .failure(.handshakeFailed) = result {
        } else {
            Issue.record("\(result)")
        }
    }

    @Test func `an endless handshake ends at the deadline`() async throws {
        let collector = try LoopbackCollector(script: .accept.opening { .neverRespond })

        let result = try await post(to: Int(collector.port), over: CurlTransport(), deadline: .milliseconds(200))

        #expect(result == .failure(.timedOut))
    }

    @Test func `a configured proxy is used`() async throws {
        let collector = try LoopbackCollector()
        let proxied = CurlTransport(CurlConfiguration(proxy: collector.url.url))
        let url = try #require(URL(string: "http://receiver.invalid/path"))

        let response = try await proxied.send(HTTPRequest(url: url, body: []), timeout: .seconds(10))

        #expect(response.status == 200)
        #expect(collector.requests.map(\.head.target) == ["http://receiver.invalid/path"])
    }

    private func authority() throws -> TestAuthority {
        try TestAuthority(in: folder.url.appending(path: UUID().uuidString))
    }

    private func post(
        to port: Int,
        over transport: CurlTransport,
        deadline: Duration = .seconds(20)
    ) async throws -> Result<HTTPResponse, TransportError> {
        let url = try #require(URL(string: "https://localhost:\(port)/"))
        do throws(TransportError) {
            let request = HTTPRequest(url: url, body: Array(TLSServer.mark.utf8))
            return .success(try await transport.send(request, timeout: deadline))
        } catch {
            return .failure(error)
        }
    }
}
#endif
