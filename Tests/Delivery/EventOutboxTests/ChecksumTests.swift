import Foundation
import Testing

@testable import EventOutbox

@Suite struct ChecksumTests {
    // The check value of CRC-32/ISCSI in the catalogue of CRC algorithms.
    @Test func `a checksum is a CRC-32C`() {
        var checksum = Checksum()

        checksum.add("123456789")

        #expect(checksum.value == 0xE306_9283)
    }

    @Test func `parts of any collection have the checksum of the whole`() {
        var parts = Checksum()
        parts.add("1234")
        parts.add(Array("5".utf8)[...])
        parts.add([UInt8]())
        parts.add("")
        parts.add(Data("6789".utf8))
        parts.add("".utf8.reversed().map { $0 })

        #expect(parts.value == 0xE306_9283)
    }

    @Test func `bytes that are not contiguous have the same checksum`() {
        var checksum = Checksum()

        checksum.add("987654321".utf8.reversed())

        #expect(checksum.value == 0xE306_9283)
    }

    @Test(arguments: 0...70)
    func `the table and the processor compute the same checksum at any address`(count: Int) {
        let bytes = (0..<(count + 8)).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }

        for start in 0..<8 {
            var checksum = Checksum()
            checksum.add("seed")
            let seed = checksum.value
            unsafe bytes.withUnsafeBytes { bytes in
                unsafe checksum.add(UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
            }

            let expected = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Checksum.byTable(seed, UnsafeRawBufferPointer(rebasing: bytes[start..<(start + count)]))
            }
            #expect(checksum.value == expected)
        }
    }

    @Test func `the table's checksum has the check value`() {
        let sum = unsafe Array("123456789".utf8).withUnsafeBytes { unsafe Checksum.byTable(0, $0) }

        #expect(sum == 0xE306_9283)
    }

    @Test func `an integer is added as its eight bytes in little-endian order`() {
        var integer = Checksum()
        integer.add(Int64(0x0102))
        var bytes = Checksum()
        bytes.add([2, 1, 0, 0, 0, 0, 0, 0])

        #expect(integer.value == bytes.value)
    }
}
