import Foundation
import Testing

@testable import HTTPTransport

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

    private func post() throws -> HTTPRequest {
        HTTPRequest(url: try #require(URL(string: "https://collector.example/")), body: [1, 2, 3])
    }
}
