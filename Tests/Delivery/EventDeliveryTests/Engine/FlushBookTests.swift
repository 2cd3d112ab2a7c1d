import CoreTracker
import EventTracking
import Testing

@testable import EventDelivery

@Suite struct FlushBookTests {
    private let start = MonotonicInstant(nanoseconds: 0)
    private var book = FlushBook()

    private func flush(seconds: Int = 60) -> Flush { Flush(Deadline(start.advanced(by: .seconds(seconds)))) }

    private func status(unsettled: Int64?, next: Int64 = 10_000) -> LaneStatus {
        var status = LaneStatus(hasDestination: true)
        (status.firstUnsettled, status.nextNumber) = (unsettled, next)
        return status
    }

    @Test mutating func `a flush ends with its last lane`() {
        let flush = flush()
        book.add(flush, [(0, status(unsettled: 1), 10), (1, status(unsettled: 1), 20)], at: start)

        book.moved(0, status(unsettled: 10), at: start)
        #expect(!flush.deadline.isEnded)
        book.moved(1, status(unsettled: 19), at: start)
        #expect(!flush.deadline.isEnded)
        book.moved(1, status(unsettled: nil), at: start)
        #expect(flush.deadline.isEnded)
    }

    @Test mutating func `a flush without unsettled events ends at once`() {
        let flushes = [flush(), flush()]

        book.add(flushes[0], [], at: start)
        book.add(flushes[1], [(0, status(unsettled: nil), 10)], at: start)

        #expect(flushes.map(\.deadline.isEnded) == [true, true])
    }

    @Test mutating func `a later flush with a smaller number ends first`() {
        let (first, second) = (flush(), flush())
        book.add(first, [(0, status(unsettled: 1), 30)], at: start)
        book.add(second, [(0, status(unsettled: 1), 20)], at: start)

        book.moved(0, status(unsettled: 25), at: start)

        #expect((first.deadline.isEnded, second.deadline.isEnded) == (false, true))
    }

    @Test mutating func `a lane that waits ends the flushes that end before the wait`() {
        let flushes = [flush(seconds: 5), flush(seconds: 60), flush(seconds: 5)]
        for flush in flushes { book.add(flush, [(0, status(unsettled: 1), 10)], at: start) }

        var waiting = status(unsettled: 1)
        waiting.notBefore = start.advanced(by: .seconds(30))
        book.moved(0, waiting, at: start)

        #expect(flushes.map(\.deadline.isEnded) == [true, false, true])
    }

    @Test(arguments: [(probe: 1, isEnded: true), (probe: 0, isEnded: false)])
    mutating func `a flush waits for the due probe of a paused lane`(probe: Int, isEnded: Bool) {
        let flush = flush()
        book.add(flush, [(0, status(unsettled: 1), 10)], at: start)

        var paused = status(unsettled: 1)
        paused.pause = LanePause(reason: .endpoint, since: nil, isOfEarlierRun: false)
        paused.notBefore = start.advanced(by: .seconds(probe))
        book.moved(0, paused, at: start)

        #expect(flush.deadline.isEnded == isEnded)
    }

    @Test mutating func `callers that no longer wait leave the queue of a lane that is behind`() {
        var longest = 0
        for _ in 1...10_000 {
            let flush = flush()
            book.add(flush, [(0, status(unsettled: 1), 10)], at: start)
            flush.deadline.end()
            longest = max(longest, book.longestQueue)
        }

        #expect(longest <= 64)
    }

    @Test mutating func `two thousand flushes on 24 lanes are each visited once by each lane`() {
        let flushes = (1...2_000).map { _ in flush() }
        for (number, flush) in flushes.enumerated() {
            book.add(flush, (0..<24).map { ($0, status(unsettled: 1), Int64(number + 2)) }, at: start)
        }

        var visited = 0
        for settled in 2...2_001 {
            for lane in 0..<24 { visited += book.moved(lane, status(unsettled: Int64(settled)), at: start) }
        }
        let areEnded = flushes.allSatisfy { $0.deadline.isEnded }

        #expect(areEnded)
        #expect(visited <= 2 * 2_000 * 24)
    }
}
