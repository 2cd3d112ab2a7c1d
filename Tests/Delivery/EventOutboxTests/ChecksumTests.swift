import Foundation
import Testing

@testable import EventOutbox

@Suite struct ChecksumTests {
    // The check value of CRC-32 in the catalogue of CRC algorithms.
    @Test func `a checksum is the CRC-32 of zlib`() {
        var checksum = Checksum()

        checksum.add("123456789")

        #expect(checksum.value == 0xCBF4_3926)
    }

    @Test func `parts of any collection have the checksum of the whole`() {
        var parts = Checksum()
        parts.add("1234")
        parts.add(Array("5".utf8)[...])
        parts.add([UInt8]())
        parts.add("")
        parts.add(Data("6789".utf8))
        parts.add("".utf8.reversed().map { $0 })

        #expect(parts.value == 0xCBF4_3926)
    }

    @Test func `bytes that are not contiguous have the same checksum`() {
        var checksum = Checksum()

        checksum.add("987654321".utf8.reversed())

        #expect(checksum.value == 0xCBF4_3926)
    }

    @Test func `an integer is added as its eight bytes in little-endian order`() {
        var integer = Checksum()
        integer.add(Int64(0x0102))
        var bytes = Checksum()
        bytes.add([2, 1, 0, 0, 0, 0, 0, 0])

        #expect(integer.value == bytes.value)
    }
}
