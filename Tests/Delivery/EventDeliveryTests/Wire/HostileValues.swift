import CoreTracker
import EventDeliveryTesting

/// A generator of parameter values that break encoders.
///
/// The same seed gives the same values.
struct HostileValues {
    private static let pieces = [
        "", "a", "\"", "\\", "/", "\u{0}", "\u{1F}", "\n", "\r\n", "\t", "\u{7F}", "\u{2028}", "\u{FEFF}", "é",
        "e\u{301}",
        "👩‍👩‍👧", "🇳🇱", "عربي", "\u{FFFD}", "\u{10FFFF}", "\"]},", "'; DROP TABLE events; --", "</script>", "\\u0041",
        "12345678", "item_name",
    ]
    private static let integers = [0, 1, -1, .max, .min, 1 << 53, (1 << 53) + 1, -(1 << 53) - 1]
    private static let numbers: [Double] = [
        0, -0.0, 0.1, 1e308, -1e308, .leastNonzeroMagnitude, .pi, 1e16, 123.456, .nan, .infinity, -.infinity,
    ]
    private var generator: SeededGenerator

    /// Creates a generator with a seed.
    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Returns the next value, nested to at most `depth`.
    mutating func next(depth: Int = 5) -> ParameterValue {
        switch below(depth > 0 ? 9 : 6) {
        case 0, 1: .string(text())
        case 2: .int(HostileValues.integers[below(HostileValues.integers.count)])
        case 3: .int(Int(truncatingIfNeeded: generator.next()))
        case 4: .double(number())
        case 5: .bool(below(2) == 0)
        case 6: .array((0..<below(4)).map { _ in next(depth: depth - 1) })
        default: .object(EventParameters((0..<below(5)).map { _ in (ParameterKey(text()), next(depth: depth - 1)) }))
        }
    }

    private mutating func number() -> Double {
        below(2) == 0 ? HostileValues.numbers[below(HostileValues.numbers.count)] : Double(bitPattern: generator.next())
    }

    private mutating func text() -> String {
        (0..<below(6)).map { _ in HostileValues.pieces[below(HostileValues.pieces.count)] }.joined()
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
}
