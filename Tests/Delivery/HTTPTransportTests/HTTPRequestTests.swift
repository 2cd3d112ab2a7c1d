import Foundation
import Testing

@testable import HTTPTransport

@Suite struct HTTPRequestTests {
    @Test(arguments: ["X-Key", "a", "!#$%&'*+-.^_`|~09"])
    func `a name is a token, and a value is any text without control characters`(name: String) throws {
        let header = try HTTPHeader(name, "a \t\"é\"")

        #expect(header.name == name)
        #expect(header.value == "a \t\"é\"")
    }

    @Test(arguments: ["", "a b", "a:b", "é", "a\r\nb", "a\0"])
    func `any other name is rejected`(name: String) {
        #expect(throws: ConfigurationError.invalidHeaderName) { try HTTPHeader(name, "v") }
    }

    @Test(arguments: ["a\r\nX-Other: b", "a\n", "\0", "\u{7F}"])
    func `a value that could end the header is rejected and not part of the error`(value: String) {
        #expect(throws: ConfigurationError.invalidHeaderValue(name: "X-Key")) { try HTTPHeader("X-Key", value) }
    }

    @Test func `the description does not contain the value`() throws {
        #expect("\(try HTTPHeader("Authorization", "secret"))" == "Authorization: ‹redacted›")
    }

    @Test func `a dump and a mirror do not contain the value`() throws {
        let header = try HTTPHeader("Authorization", "canary-secret")
        var dumped = ""

        dump(header, to: &dumped)
        dump([header], to: &dumped)

        #expect(!dumped.contains("canary"))
        #expect(!String(reflecting: header).contains("canary"))
        #expect(Mirror(reflecting: header).children.map(\.label) == ["name"])
    }
}

@Suite struct HTTPRequestDescriptionTests {
    @Test func `a request's description contains the host and no secrets`() throws {
        let url = try #require(URL(string: "https://collector.example/hush?key=hush"))
        let request = HTTPRequest(
            url: url,
            headers: [try HTTPHeader("Authorization", "hush")],
            body: Array("hush".utf8)
        )
        var dumped = ""

        dump(request, to: &dumped)

        #expect("\(request)" == "POST https://collector.example")
        #expect(!String(reflecting: request).contains("hush"))
        #expect(!dumped.contains("hush"))
    }
}

@Suite struct WireRequestTests {
    @Test func `the content type and the accepted encoding are always set`() throws {
        let request = try #require(WireRequest(try post()))

        #expect(request.headers.map(\.name) == ["Accept-Encoding", "Content-Type"])
        #expect(request.headers.map(\.value) == ["identity", "application/octet-stream"])
        #expect(request.body == [1, 2, 3])
    }

    @Test func `a header of the request is not overridden, regardless of case`() throws {
        var named = try post()
        named.headers = [try HTTPHeader("content-TYPE", "application/json"), try HTTPHeader("X-Key", "a")]

        let request = try #require(WireRequest(named))

        #expect(request.headers.map(\.name) == ["content-TYPE", "X-Key", "Accept-Encoding"])
    }

    @Test(arguments: ["GET", "HEAD"]) func `a GET or HEAD request has no body`(method: String) throws {
        var asking = try post()
        asking.method = method

        let request = try #require(WireRequest(asking))

        #expect(request.body == nil)
        #expect(!request.headers.contains { $0.name == "Content-Type" })
    }

    @Test func `a body is compressed if that is allowed and makes it smaller`() throws {
        var large = try post()
        (large.body, large.allowsGzip) = ([UInt8](repeating: 65, count: 4096), true)

        let request = try #require(WireRequest(large))

        #expect(request.headers.last?.value == "gzip")
        #expect(try #require(request.body).count < 4096)
    }

    @Test func `a packed request and its copies have one compressed body, until the body changes`() throws {
        var packed = try post()
        (packed.body, packed.allowsGzip) = ([UInt8](repeating: 65, count: 4096), true)
        packed.pack()

        var changed = packed
        changed.body = [UInt8](repeating: 66, count: 4096)
        let bodies = try [packed, packed, changed].map { try #require(WireRequest($0)?.body) }
        let places = bodies.map { body in unsafe body.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
        var plain = packed
        plain.allowsGzip = false

        #expect(places[0] == places[1])
        #expect(bodies[0] != bodies[2])
        #expect(packed.isCompressed && !plain.isCompressed)
        #expect(plain.sentBody.count == 4096)
    }

    @Test func `a body that does not get smaller is compressed once`() throws {
        var noise = SystemRandomNumberGenerator()
        var request = try post()
        (request.body, request.allowsGzip) = ((0..<5000).map { _ in UInt8(truncatingIfNeeded: noise.next()) }, true)

        request.pack()

        #expect(!request.allowsGzip)
        #expect(WireRequest(request)?.headers.contains { $0.name == "Content-Encoding" } == false)
    }

    private func post() throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://collector.example/")), body: [1, 2, 3])
    }
}

@Suite struct GzipTests {
    @Test func `compression is deterministic, so a retry is identical`() throws {
        let body = Array(String(repeating: #"{"event_id":"e","name":"viewed"}"#, count: 100).utf8)

        let packed = try #require(Gzip.compress(body))

        #expect(packed == Gzip.compress(body))
        #expect(packed.count < body.count / 5)
        #expect(packed.prefix(8) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "the head holds no time of packing")
    }

    @Test func `a body that does not get smaller is not compressed`() {
        var noise = SystemRandomNumberGenerator()
        let random = (0..<5000).map { _ in UInt8(truncatingIfNeeded: noise.next()) }

        #expect(Gzip.compress([]) == nil)
        #expect(Gzip.compress([65]) == nil)
        #expect(Gzip.compress(random) == nil)
    }
}
