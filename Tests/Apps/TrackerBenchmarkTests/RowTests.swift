import Testing

@testable import TrackerBenchmark

@Suite struct RowTests {
    @Test func `a rate costs more the lower it is`() {
        #expect(Row("rate", .perSecond).ratio(of: 100, to: 300) == 3)
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
