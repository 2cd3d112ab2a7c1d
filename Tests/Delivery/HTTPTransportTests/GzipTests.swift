import HTTPTransport
import Testing

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
