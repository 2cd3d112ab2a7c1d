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
        let now = Report([result("a", 101), result("b", 102), result("c", 50), result("d", 9)])

        #expect(now.growth(since: earlier) == ["b: 102, was 100"])
    }

    @Test func `times are not compared`() {
        let earlier = Report([result("a", 100, isCount: false)])

        #expect(Report([result("a", 900, isCount: false)]).growth(since: earlier).isEmpty)
    }

    @Test func `a file that is no report is none`() {
        #expect(Report(path: "/nowhere/report.json") == nil)
        #expect(Report(path: #filePath) == nil)
    }

    @Test func `a report without figures is not within budget`() {
        #expect(!Report([]).isWithinBudget)
        #expect(Report([]).table == "no figure has such a name")
    }

    private func result(_ name: String, _ value: Double, isCount: Bool = true) -> RowResult {
        RowResult(Row(name, .count, isCount: isCount), samples: [Sample(row: name, value: value)])
    }
}
