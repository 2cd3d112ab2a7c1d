import EventDelivery
import LoopbackCollector
import Testing

@testable import TrackerBenchmark

@Suite struct SlowLinkTests {
    private var link = SlowLink(roundTrip: .milliseconds(100))

    @Test mutating func `a connection costs two round trips before its first request`() {
        let first = link.response(toBytes: 12_500, at: .zero, isFirst: true)
        let second = link.response(toBytes: 12_500, at: first, isFirst: false)

        #expect(first == .milliseconds(200 + 100 + 100))
        #expect(second == first + .milliseconds(100 + 100))
    }

    @Test mutating func `connections share the uplink`() {
        let first = link.response(toBytes: 12_500, at: .zero, isFirst: false)
        let second = link.response(toBytes: 25_000, at: .milliseconds(50), isFirst: false)

        #expect(first == .milliseconds(100 + 100))
        #expect(second == .milliseconds(100 + 200 + 100))
    }

    @Test(arguments: [(1, 1_700), (2, 1_000), (3, 800), (20, 800)])
    func `the least time ends when enough connections keep the uplink busy`(connections: Int, milliseconds: Int) {
        let time = SlowLink.leastTime(
            bytes: 62_500,
            requests: 10,
            connections: connections,
            roundTrip: .milliseconds(100)
        )

        #expect(time == .milliseconds(milliseconds))
    }

    @Test func `a request's size is that of its bytes on the wire`() async throws {
        let collector = try LoopbackCollector()
        let body = try #require(Gzip.compress([UInt8](repeating: 0, count: 1_000)))
        let head = """
            POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Encoding: gzip\r
            Content-Length: \(body.count)\r\n\r\n
            """

        try HandWrittenClient(port: collector.port).post(body)

        let sizes = await collector.requests(count: 1).map(\.byteCount)
        #expect(sizes == [head.utf8.count + body.count])
    }
}
