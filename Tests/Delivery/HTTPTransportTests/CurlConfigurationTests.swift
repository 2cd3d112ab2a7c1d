#if !canImport(Darwin)
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

@testable import HTTPTransport

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

    @Test func `a file of authorities without a whole certificate is named as the cause, and trusts no receiver`()
        async throws
    {
        let authority = try authority()
        let server = try await TLSServer(authority.certificate())
        let whole = try Data(contentsOf: authority.file)
        let file = folder.url.appending(path: "\(UUID()).pem")
        let transport = CurlTransport(CurlConfiguration(authorities: file))

        for content in [nil, Data(), Data("damaged".utf8), whole.prefix(whole.count / 2)] {
            try content?.write(to: file)
            #expect(try await post(to: server.port, over: transport) == .failure(.unreadableAuthorities))
        }
        try whole.write(to: file)
        #expect(try await post(to: server.port, over: transport).get().status == 200)
        #expect(server.requests == 1)
    }

    @Test func `a file of authorities that has changed is read again at once for an untrusted receiver`() async throws {
        let (old, new) = (try authority(), try authority())
        let file = folder.url.appending(path: "\(UUID()).pem")
        try Data(contentsOf: old.file).write(to: file)
        let transport = CurlTransport(CurlConfiguration(authorities: file))
        let first = try await TLSServer(old.certificate())

        #expect(try await post(to: first.port, over: transport).get().status == 200)
        await first.end()
        let second = try await TLSServer(new.certificate(), port: first.port)
        #expect(try await post(to: first.port, over: transport) == .failure(.untrusted))
        try (Data(contentsOf: old.file) + Data(contentsOf: new.file)).write(to: file)
        #expect(try await post(to: first.port, over: transport).get().status == 200)
        #expect(second.requests == 1)
    }

    @Test func `a client's certificate is sent, and an unusable one is named as the cause`() async throws {
        let authority = try authority()
        let (client, other) = (try authority.certificate(), try authority.certificate())
        let verifying = ["-Verify", "1", "-verify_return_error", "-CAfile", authority.file.path()]
        let server = try await TLSServer(authority.certificate(), verifying)
        var configuration = CurlConfiguration(authorities: authority.file)
        let (certificate, key) = (folder.url.appending(path: "\(UUID())"), folder.url.appending(path: "\(UUID())"))

        let anonymous = try await post(to: server.port, over: CurlTransport(configuration))
        #expect(throws: (any Error).self) { try anonymous.get() }
        (configuration.clientCertificate, configuration.clientKey) = (certificate, key)
        let transport = CurlTransport(configuration)
        let whole = try Data(contentsOf: client.key)
        for content in [nil, Data(), Data("damaged".utf8), whole.prefix(60), try Data(contentsOf: other.key)] {
            #expect(try await post(to: server.port, over: transport) == .failure(.unusableCertificate))
            try content?.write(to: key)
            try Data(contentsOf: client.file).write(to: certificate)
        }
        try whole.write(to: key)
        #expect(try await post(to: server.port, over: transport).get().status == 200)
        #expect(server.requests == 1)
    }

    @Test func `faults of a proxy are named as such, and never as the receiver's`() async throws {
        let refusing = try [407, 403, 503].map { try LoopbackCollector(script: .always(.status($0))) }
        let closing = try LoopbackCollector(script: .accept.opening { .close })
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        let unknown = try #require(URL(string: "http://unknown.invalid:3128"))
        let proxies: [(URL, Int?)] =
            zip(refusing.map(\.url.url), [407, 403, 503]).map { ($0, $1) }
            + [(closing.url.url, nil), (nowhere, nil), (unknown, nil)]
            + [try #require(URL(string: "https://127.0.0.1"))].map { ($0, nil) }
            + [try #require(URL(string: "http://[::1]:9"))].map { ($0, nil) }

        for (proxy, status) in proxies {
            let transport = CurlTransport(CurlConfiguration(proxy: proxy))
            let name = "\(proxy.host() ?? ""):\(proxy.port ?? 443)"
            #expect(try await post(to: 443, over: transport) == .failure(.proxyFailed(proxy: name, status: status)))
        }
    }

    @Test(arguments: [
        ("Failed to connect to squid.example port 3128 after 0 ms: Couldn't connect to server", true),
        ("Failed to connect to h.example port 443 via squid.example after 0 ms: Could not connect to server", true),
        ("CONNECT tunnel failed, response 403", true),
        ("Failed to connect to h.example port 443 after 0 ms: Could not connect to server", false),
        ("Failed to connect to squid.example port 443 after 0 ms: Could not connect to server", false),
    ]) func `a message names the proxy in old and new releases of libcurl`(message: String, isNamed: Bool) {
        let proxied = CurlConfiguration(proxy: URL(string: "http://squid.example:3128"))

        #expect(proxied.isProxyNamed(in: message) == isNamed)
        #expect(!CurlConfiguration().isProxyNamed(in: message))
    }

    @Test func `an address of version 6 is a proxy's name too`() {
        let proxied = CurlConfiguration(proxy: URL(string: "http://[::1]:9"))

        #expect(proxied.isProxyNamed(in: "Failed to connect to ::1 port 9 after 0 ms: Couldn't connect to server"))
        #expect(proxied.isProxyNamed(in: "Failed to connect to h.example port 443 via ::1 after 0 ms: refused"))
    }

    @Test func `a dump of a configuration does not contain the credentials of the proxy`() throws {
        let proxy = try #require(URL(string: "http://user:canary@squid.example:3128"))
        let configuration = CurlConfiguration(proxy: proxy)
        var dumped = "\(configuration) \(String(reflecting: configuration))"

        dump(configuration, to: &dumped)
        dump(CurlTransport(configuration), to: &dumped)

        #expect(!dumped.contains("canary"))
        #expect(dumped.contains("squid.example:3128"))
    }

    @Test(arguments: ["localhost", " other.example ,  localhost", "127.0.0.1 localhost\tb", "*"])
    func `an exception of the proxy is reached without it`(exceptions: String) async throws {
        let authority = try authority()
        let server = try await TLSServer(authority.certificate())
        let proxy = try LoopbackCollector()
        var configuration = CurlConfiguration(authorities: authority.file, proxy: proxy.url.url)
        configuration.proxyExceptions = exceptions

        #expect(try await post(to: server.port, over: CurlTransport(configuration)).get().status == 200)
        #expect(proxy.tally.connections == 0)
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
