import EventDeliveryTesting
import Foundation

/// A random source of extreme values and of damage to bytes.
struct CraftedValues {
    private static let integers: [Int64] = [
        0, 1, -1, 2, 127, 255, 65_536, 1 << 22, 1 << 31, 1 << 32, 1 << 39, (1 << 40) - 1, 1 << 53, 1 << 62, .max, .min,
    ]
    var random: SeededGenerator

    /// Prepares a case for a seed and a number.
    init(seed: UInt64, number: UInt64) {
        random = SeededGenerator(seed: seed &+ number &* 0xD134_2543_DE82_EF95)
    }

    /// Returns `true` once in the given number of times, at random.
    mutating func happens(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// Returns a number, usually at the end of a range.
    mutating func integer() -> Int64 {
        happens(oneIn: 5)
            ? Int64.random(in: .min ... .max, using: &random) : pick(CraftedValues.integers)
    }

    /// Returns an element of `values`, which must not be empty.
    mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    /// Returns random bytes of a length up to the maximum.
    mutating func bytes(_ most: Int) -> [UInt8] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    }

    /// Returns a text with arbitrary characters.
    mutating func text() -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: ""
        case 1: "\(integer())"
        case 2: String(repeating: pick(["a", "é", "\t", "\n", "\u{301}", "\0", "{", "%"]), count: Int(bytes(64).count))
        default: String(decoding: bytes(40), as: UTF8.self)
        }
    }

    /// Replaces some numbers in a text.
    mutating func renumber(_ text: String) -> String {
        var result = ""
        for part in text.split(omittingEmptySubsequences: false, whereSeparator: { !$0.isNumber }) {
            result += part.isEmpty || !happens(oneIn: 4) ? String(part) : "\(integer())"
            let end = part.endIndex
            if end < text.endIndex { result.append(text[end]) }
        }
        return result
    }

    /// Damages bytes like a failing disk or an attacker.
    mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes = self.bytes(64) }
        let page = pick([2_048, 4_096])
        let pages = max(1, bytes.count / page)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        case 1: bytes += self.bytes(5_000)
        case 2:
            let (from, to) = (Int.random(in: 0..<pages, using: &random), Int.random(in: 0..<pages, using: &random))
            copy(page, in: &bytes, from: from * page, to: to * page)
        case 3:
            // The header of a page contains its kind, its number of cells and the page to its right.
            let start = Int.random(in: 0..<pages, using: &random) * page + pick([0, 3, 5, 8, 12, 100, 103, 108])
            let number = UInt8(truncatingIfNeeded: Int.random(in: 0...pages, using: &random))
            for (offset, byte) in [0, 0, 0, number].enumerated() where start + offset < bytes.count {
                bytes[start + offset] = byte
            }
        default:
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            }
        }
    }

    private func copy(_ count: Int, in bytes: inout [UInt8], from: Int, to: Int) {
        for offset in 0..<count where from + offset < bytes.count && to + offset < bytes.count {
            bytes[to + offset] = bytes[from + offset]
        }
    }
}
