#if !canImport(Darwin)
import LoopbackCollector
import Testing

@testable import HTTPTransport

@Suite(.timeLimit(.minutes(1))) struct CurlIdleTests {
    private let transport: CurlTransport

    init() {
        var configuration = CurlConfiguration()
        configuration.idleSeconds = 5
        transport = CurlTransport(configuration)
    }

    @Test func `a connection without a byte ends long before the deadline`() async throws {
        let collector = try LoopbackCollector(script: .always(.neverRespond))
        let start = ContinuousClock.now

        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(url: collector.url.url, body: [1]), timeout: .seconds(900))
        }

        #expect(error == .timedOut)
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func `a body that stops ends long before the deadline, and its part is returned`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"
        let collector = try LoopbackCollector(script: .always(.raw(Array(head.utf8), then: .neverRespond)))

        let request = HTTPRequest(url: collector.url.url, body: [1])
        let response = try await transport.send(request, timeout: .seconds(900))

        #expect(response.status == 200 && response.extent == .interrupted)
        #expect(response.body == Array("ab".utf8))
    }

    @Test func `a request that moves slowly is not idle`() async throws {
        let page = CollectorResponse(200, text: "0123456789")
        let collector = try LoopbackCollector(script: .always(.trickle(page, every: .milliseconds(60))))

        let request = HTTPRequest(url: collector.url.url, body: [1])
        let response = try await transport.send(request, timeout: .seconds(900))

        #expect(response.body == page.body && response.extent == .whole)
    }
}
#endif
