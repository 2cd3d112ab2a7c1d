#if !canImport(Darwin)
import CCurl
import Testing

@testable import HTTPTransport

@Suite struct CurlResponseTests {
    @Test func `the fields of the last head are used, with lower-case names and joined values`() throws {
        var reader = CurlResponse()
        let lines = [
            "HTTP/1.1 103 Early", "X-Early: 1", "", "HTTP/1.1 200 OK", "X-A:  b\t", "x-a: c", " folded", "Empty:", "",
        ]

        let areTaken = lines.allSatisfy { reader.receive($0) }
        let response = try reader.result(CURLE_OK, detail: "").get()

        #expect(areTaken)
        #expect(response == HTTPResponse(status: 200, headers: ["x-a": "b, c folded", "empty": ""]))
    }

    @Test(arguments: [
        ["HTTP/1.1"], ["HTTP/1.1 20 OK"], ["HTTP/1.1 2000 OK"], ["HTTP/1.1 099 No"], ["HTTP/1.1 abc"],
        ["HTTP/1.1 200 OK", "no colon"], ["HTTP/1.1 200 OK", ": no name"], ["HTTP/1.1 200 OK", "a b: c"],
    ]) func `an invalid line in a head ends the transfer`(lines: [String]) {
        var reader = CurlResponse()

        #expect(!lines.allSatisfy { reader.receive($0) })
        #expect(reader.result(CURLE_WRITE_ERROR, detail: "") == .failure(.invalidResponse))
    }

    @Test(arguments: [
        [], ["HTTP/1.1 200 OK"], ["HTTP/1.1 200 OK", "X: y"], ["HTTP/1.1 100 Continue", ""],
        ["HTTP/1.1 200 OK", "Content-Length: 0x5", ""],
    ]) func `a head without its blank line or with an invalid length is not a response`(
        lines: [String]
    ) {
        var reader = CurlResponse()

        for line in lines { _ = reader.receive(line) }

        #expect(reader.result(CURLE_OK, detail: "") == .failure(.invalidResponse))
    }

    @Test(arguments: [200, 299, 300, 413, 503]) func `a body that is too long is cut`(status: Int) throws {
        var reader = CurlResponse()
        for line in ["HTTP/1.1 \(status) Status", "Retry-After: 7", ""] { _ = reader.receive(line) }

        let isTaken = reader.receive(part: [UInt8](repeating: 65, count: ResponseLimits.maximumBody + 1).span)
        let response = try reader.result(CURLE_WRITE_ERROR, detail: "").get()

        #expect(!isTaken)
        #expect(response.status == status && response.extent == .limited)
        #expect(response.body.count == ResponseLimits.maximumBody)
    }

    @Test func `a compressed body is left out, because no compression was accepted`() throws {
        var reader = CurlResponse()
        for line in ["HTTP/1.1 200 OK", "Content-Encoding: gzip", ""] { _ = reader.receive(line) }
        _ = reader.receive(part: [0x1F, 0x8B].span)

        let response = try reader.result(CURLE_OK, detail: "").get()

        #expect(response.body.isEmpty && response.extent == .limited)
    }

    @Test func `heads, trailers and interim responses have an end`() {
        var (head, trailer, interim) = (CurlResponse(), CurlResponse(), CurlResponse())
        for line in ["HTTP/1.1 200 OK", ""] { _ = trailer.receive(line) }

        #expect(!(0..<100).allSatisfy { _ in head.receive("X: " + String(repeating: "x", count: 1000)) })
        #expect(!(0..<100).allSatisfy { _ in trailer.receive("X: " + String(repeating: "x", count: 1000)) })
        #expect(!(0..<100).allSatisfy { _ in interim.receive("HTTP/1.1 100 Continue") && interim.receive("") })
        for reader in [head, interim] {
            #expect(reader.result(CURLE_WRITE_ERROR, detail: "") == .failure(.invalidResponse))
        }
        #expect((try? trailer.result(CURLE_WRITE_ERROR, detail: "").get().extent) == .limited)
    }

    @Test func `if libcurl fails before the head is complete, its error is the result`() throws {
        var reader = CurlResponse()
        for line in ["HTTP/1.1 200 OK", "Content-Length: 5"] { _ = reader.receive(line) }

        #expect(reader.result(CURLE_PARTIAL_FILE, detail: "") == .failure(.connectionLost))
        _ = reader.receive("")
        #expect(try reader.result(CURLE_PARTIAL_FILE, detail: "").get().extent == .interrupted)
    }
}

extension CurlResponse {
    fileprivate mutating func receive(_ line: String) -> Bool {
        receive(line: Array((line + "\r\n").utf8).span)
    }
}
#endif
