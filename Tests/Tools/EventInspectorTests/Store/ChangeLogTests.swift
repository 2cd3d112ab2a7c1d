import Testing

@testable import EventInspector

@Suite struct ChangeLogTests {
    @Test func `each changed row is returned once, in parts, and the position advances`() {
        var log = ChangeLog()
        for number in [1, 2, 1, 3, 4] { log.append(number) }

        let first = log.changes(after: 0, limit: 2)
        let second = log.changes(after: first.next, limit: 9)

        #expect((first.rows, first.next, first.missed) == ([1, 2], 2, 0))
        #expect((second.rows, second.next, second.missed) == ([1, 3, 4], 5, 0))
        #expect(log.changes(after: 5, limit: 9).rows.isEmpty)
    }

    @Test func `removed changes are counted as missed`() {
        var log = ChangeLog()
        for number in 0..<450_000 { log.append(number) }

        let (rows, next, missed) = log.changes(after: 10, limit: 1)

        #expect(log.end == 450_000)
        #expect(missed > 200_000)
        #expect(rows == [10 + missed])
        #expect(next == 11 + missed)
    }

    @Test func `a position that was never reached starts at the end`() {
        var log = ChangeLog()
        log.append(1)

        let (rows, next, missed) = log.changes(after: 99, limit: 9)

        #expect((rows, next, missed) == ([], 1, 0))
    }
}
