import Testing

@testable import TrackerBenchmark

@Suite struct RowTests {
    @Test func `a rate costs more the lower it is`() {
        #expect(Row("rate", .perSecond).ratio(of: 100, to: 300) == 3)
        #expect(Row("gzip", .compression).ratio(of: 5, to: 15) == 3)
        #expect(Row("time", .nanoseconds).ratio(of: 300, to: 100) == 3)
        #expect(Row("count", .count).ratio(of: 0, to: 0) == 0)
    }

    @Test func `a value must be within each of its budgets`() {
        let row = Row("rate", .perSecond, .atLeast(100), .timesFloor(2))

        #expect(row.keepsBudget(value: 100, ratio: 2))
        #expect(!row.keepsBudget(value: 99, ratio: 1))
        #expect(!row.keepsBudget(value: 200, ratio: 2.1))
        #expect(!row.keepsBudget(value: 200, ratio: nil))
        #expect(row.budgetText == "≥ 100/s, ≤ 2 × floor")
    }

    @Test func `a row without a budget is always within it`() {
        #expect(Row("time", .nanoseconds).keepsBudget(value: 1e12, ratio: nil))
        #expect(Row("time", .nanoseconds).budgetText == "reported")
    }
}

@Suite struct RowUnitTests {
    @Test(arguments: [
        (RowUnit.nanoseconds, 0, "0 ns"), (.nanoseconds, 999, "999 ns"), (.nanoseconds, 1_230, "1.23 µs"),
        (.nanoseconds, 45_600_000, "45.6 ms"), (.nanoseconds, 61e9, "61 s"), (.perSecond, 1_234_567, "1,234,567/s"),
        (.perSecond, 12, "12/s"), (.bytes, 16_000_000, "16 MB"), (.count, 6, "6"), (.count, 0.004, "0"),
        (.count, 12_345, "12,345"), (.times, 1.234, "1.23"), (.compression, 15.03, "15.03"),
    ])
    func `a value is printed in a readable unit`(unit: RowUnit, value: Double, text: String) {
        #expect(unit.text(value) == text)
    }
}

@Suite struct RowResultTests {
    private let row = Row("call", .nanoseconds, .timesFloor(2))

    @Test func `the ratio is the median of the runs' ratios to their floors`() {
        let samples = [(100, 100), (900, 300), (150, 100)].map { Sample(row: "call", value: $0, floor: $1) }
        let result = RowResult(row, samples: samples + [Sample(row: "another", value: 1e9, floor: 1)])

        #expect(result.value?.median == 150 && result.floor?.most == 300)
        #expect(result.ratio == 1.5 && result.isWithinBudget)
    }

    @Test func `a value that this machine cannot measure has a reason and breaks no budget`() {
        let result = RowResult(row, samples: [Sample(row: "call", value: nil, note: "needs strace")])

        #expect(result.note == "needs strace")
        #expect(result.isWithinBudget)
    }

    @Test func `a run that has failed breaks the budget`() {
        let result = RowResult(row, samples: [], failure: "failed: exit code 1")

        #expect(result.note == "failed: exit code 1")
        #expect(!result.isWithinBudget)
    }
}

@Suite struct SpreadTests {
    @Test func `a spread has the median, the minimum and the maximum`() throws {
        let spread = try #require(Spread([9, 1, 4]))

        #expect(spread.median == 4 && spread.least == 1 && spread.most == 9)
    }

    @Test func `the median of an even number of values is the upper middle one`() {
        #expect(Spread([4, 1, 3, 2])?.median == 3)
    }

    @Test func `there is no spread without values`() {
        #expect(Spread([]) == nil)
    }
}
