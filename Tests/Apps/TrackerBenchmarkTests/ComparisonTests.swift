import Testing

@testable import TrackerBenchmark

@Suite struct ComparisonTests {
    private struct TwoRows: Figure {
        let rows = [Row("rate", .perSecond, .timesFloor(2)), Row("new", .count)]
        let runs = RunCount.once

        func measure(_ setting: Setting) -> [Sample] { [] }
    }

    @Test func `the ratio is the median of the ratios in the same turn`() throws {
        let today = [100, 300, 200].map { [Sample(row: "rate", value: $0, floor: 400)] }
        let then = [100, 100, 100].map { [Sample(row: "rate", value: $0)] }

        let row = try #require(Comparison.all(of: TwoRows(), today: today, then: then).first)

        #expect(row.today?.value?.median == 200 && row.then?.value?.median == 100 && row.today?.ratio == 2)
        #expect(row.ratio?.median == 2 && row.ratio?.least == 1 && row.ratio?.most == 3)
    }

    @Test func `rows of only one commit are in the table with a note`() {
        let today = [[Sample(row: "rate", value: 50), Sample(row: "new", value: 7)]]
        let then = [[Sample(row: "rate", value: 100), Sample(row: "old", value: 1)]]
        let rows = Comparison.all(of: TwoRows(), today: today, then: then)

        #expect(
            Comparison.table(rows, commit: "HEAD") == """
                figure  today  least–most  × floor   HEAD   least–most  × floor  ratio
                ──────  ─────  ──────────  ───────  ─────  ───────────  ───────  ─────  ───────  ────────────
                rate     50/s   50/s–50/s           100/s  100/s–100/s             0.5  0.5–0.5
                new         7         7–7               –                                        only today
                old         –                           –                                        only in HEAD
                """
        )
    }

    @Test func `a machine is quiet if other programs use a tenth of the processors' time at most`() {
        #expect(QuietCheck.sentence(share: 0.1).hasPrefix("The machine was quiet."))
        #expect(QuietCheck.sentence(share: 0.104).hasPrefix("THE MACHINE WAS NOT QUIET"))
        #expect(QuietCheck.sentence(share: 0.104).contains("10.4 %"))
    }
}
