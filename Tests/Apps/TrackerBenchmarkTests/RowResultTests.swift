import Testing

@testable import TrackerBenchmark

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
