import Testing

@testable import TrackerBenchmark

@Suite struct ReportTableTests {
    @Test func `columns line up, and rows with a budget have a result`() {
        let call = Row("call", .nanoseconds, .atMost(1_000))
        let rate = Row("rate", .perSecond, .timesFloor(2))
        let tool = Row("tool", .count)
        let report = Report([
            RowResult(call, samples: [Sample(row: "call", value: 800), Sample(row: "call", value: 900)]),
            RowResult(rate, samples: [Sample(row: "rate", value: 100, floor: 300)]),
            RowResult(tool, samples: [Sample(row: "tool", value: nil, note: "needs strace")]),
        ])

        #expect(
            report.table == """
                figure  median     least–most  floor  × floor  budget
                ──────  ──────  ─────────────  ─────  ───────  ───────────  ────────────
                call    900 ns  800 ns–900 ns                  ≤ 1 µs       kept
                rate     100/s                 300/s        3  ≤ 2 × floor  BEYOND
                tool         –                                 reported     needs strace
                """
        )
    }
}
