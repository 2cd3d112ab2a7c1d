#if !canImport(Darwin)
import EventDeliveryTesting
import Foundation
import HTTPTransport
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(5))) struct CurlOptionsTests {
    @Test func `proxies of the environment are ignored`() async throws {
        await #expect(processExitsWith: .success) {
            for name in ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY", "HTTPS_PROXY"] {
                unsafe setenv(name, "http://127.0.0.1:1", 1)
            }
            let collector = try LoopbackCollector()
            let request = HTTPRequest(url: collector.url.url, body: [])
            let response = try await CurlTransport().send(request, timeout: .seconds(10))
            #expect(response.status == 200)
        }
    }

    @Test func `a configured proxy is used for the hosts that the environment excludes`() async throws {
        await #expect(processExitsWith: .success) {
            for name in ["no_proxy", "NO_PROXY"] { unsafe setenv(name, "*", 1) }
            let proxy = try LoopbackCollector()
            let url = try #require(URL(string: "http://receiver.invalid/path"))

            let response = try await CurlTransport(CurlConfiguration(proxy: proxy.url.url))
                .send(HTTPRequest(url: url, body: []), timeout: .seconds(10))

            #expect(response.status == 200)
        }
    }

    @Test func `TLS keys are not logged to a file of the environment`() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryQueue()
            let log = folder.url.appending(path: "keys")
            unsafe setenv("SSLKEYLOGFILE", log.path, 1)
            let authority = try TestAuthority(in: folder.url.appending(path: "authority"))
            let server = try await TLSServer(authority.certificate())
            let url = try #require(URL(string: "https://localhost:\(server.port)"))
            let request = HTTPRequest(url: url, body: Array(TLSServer.mark.utf8))
            let transport = CurlTransport(CurlConfiguration(authorities: authority.file))

            let response = try await transport.send(request, timeout: .seconds(10))

            #expect(response.status == 200)
            #expect(try Data(contentsOf: log).isEmpty)
        }
    }

    @Test func `a request contains its own headers and those that HTTP requires`() async throws {
        let collector = try LoopbackCollector()
        let headers = [try HTTPHeader("X-Empty", ""), try HTTPHeader("X-Twice", "a"), try HTTPHeader("X-Twice", "b")]
        let url = try #require(URL(string: "\(collector.url)/a/../b?q=%20"))
        let body = [UInt8](repeating: 65, count: 2_000_000)

        _ = try await CurlTransport().send(HTTPRequest(url: url, headers: headers, body: body), timeout: .seconds(10))

        let arrived = try #require(collector.requests.first)
        #expect(arrived.body == body)
        #expect(arrived.head.target == "/a/../b?q=%20")
        let expected = [
            "Host: 127.0.0.1:\(collector.port)", "Accept: */*", "X-Empty:", "X-Twice: a", "X-Twice: b",
            "Accept-Encoding: identity", "Content-Type: application/octet-stream", "Content-Length: 2000000",
        ]
        #expect(Set(arrived.head.headerLines) == Set(expected))
    }
}
#endif
