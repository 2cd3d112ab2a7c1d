import Testing

@testable import TrackerBenchmark

@Suite struct RowUnitTests {
    @Test(arguments: [
        (RowUnit.nanoseconds, 0, "0 ns"), (.nanoseconds, 999, "999 ns"), (.nanoseconds, 1_230, "1.23 µs"),
        (.nanoseconds, 45_600_000, "45.6 ms"), (.nanoseconds, 61e9, "61 s"), (.perSecond, 1_234_567, "1,234,567/s"),
        (.perSecond, 12, "12/s"), (.bytes, 16_000_000, "16 MB"), (.count, 6, "6"), (.count, 0.004, "0"),
        (.count, 12_345, "12,345"), (.times, 1.234, "1.23"),
    ])
    func `a value is printed in a readable unit`(unit: RowUnit, value: Double, text: String) {
        #expect(unit.text(value) == text)
    }
}
