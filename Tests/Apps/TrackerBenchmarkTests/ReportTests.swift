import Foundation
import Testing

@testable import TrackerBenchmark

@Suite struct ReportTests {
    @Test func `JSON keeps everything`() throws {
        let report = Report([result("allocations", 4)])

        let read = try JSONDecoder().decode(Report.self, from: Data(report.json.utf8))

        #expect(read.figures == report.figures)
        #expect(!report.json.contains("\n"))
    }

    @Test func `a count that has grown beyond the margin is reported`() {
        let earlier = Report([result("a", 100), result("b", 100), result("c", 100)])
        let now = Report([result("a", 102), result("b", 103), result("c", 50), result("d", 9)])

        #expect(now.growth(since: earlier) == ["b: 103, was 100"])
    }

    @Test func `times are not compared`() {
        let earlier = Report([result("a", 100, isCount: false)])

        #expect(Report([result("a", 900, isCount: false)]).growth(since: earlier).isEmpty)
    }

    @Test func `a file without a report is refused`() {
        #expect(Report(path: "/nowhere/report.json") == nil)
        #expect(Report(path: #filePath) == nil)
    }

    @Test func `a report without figures is not within budget`() {
        #expect(!Report([]).isWithinBudget)
        #expect(Report([]).table == "no figure has a row with this name")
    }

    private func result(_ name: String, _ value: Double, isCount: Bool = true) -> RowResult {
        RowResult(Row(name, .count, isCount: isCount), samples: [Sample(row: name, value: value)])
    }
}

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
