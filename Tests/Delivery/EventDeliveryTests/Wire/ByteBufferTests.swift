import Testing

@testable import EventDelivery

@Suite struct ByteBufferTests {
    @Test func `pieces are consecutive, however often the memory grows`() {
        var buffer = ByteBuffer()

        for number in 0..<2_000 {
            unsafe buffer.write(upTo: 7) { unsafe $0.write(UInt8(truncatingIfNeeded: number)) }
        }

        #expect(buffer.bytes == (0..<2_000).map { UInt8(truncatingIfNeeded: $0) })
        #expect(unsafe buffer.withBytes { unsafe Array($0) } == buffer.bytes)
    }

    @Test func `a copy is not changed by later writes`() {
        var buffer = ByteBuffer()
        unsafe buffer.write(upTo: 2) { unsafe $0.write("ab") }

        let copy = buffer
        buffer.removeAll(from: 1)
        unsafe buffer.write(upTo: 1) { unsafe $0.write("c") }

        #expect(copy.bytes == Array("ab".utf8))
        #expect(buffer.bytes == Array("ac".utf8))
    }

    @Test func `an emptied buffer keeps at most the given memory`() {
        var buffer = ByteBuffer()
        unsafe buffer.write(upTo: 1) { unsafe $0.write("a") }

        buffer.removeAll(keeping: 0)

        #expect(buffer.bytes.isEmpty)
        #expect(buffer.count == 0)
    }
}
