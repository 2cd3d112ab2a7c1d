import EventDelivery
import Testing

@testable import TrackerDemo

@Suite struct SessionStartsTests {
    @Test func `a session keeps the time of its first event`() {
        var starts = SessionStarts()

        let times = [1, 5, 9].map { starts.start(of: "a", at: Timestamp(microseconds: $0)).microseconds }

        #expect(times == [1, 1, 1])
    }

    @Test func `a session that is seen again is remembered, one that is not is forgotten`() {
        var starts = SessionStarts(capacity: 10)
        for number in 0..<100 {
            _ = starts.start(of: "seen", at: Timestamp(microseconds: Int64(number)))
            _ = starts.start(of: "session-\(number)", at: Timestamp(microseconds: Int64(number)))
        }

        let seen = starts.start(of: "seen", at: Timestamp(microseconds: 200))
        let unseen = starts.start(of: "session-3", at: Timestamp(microseconds: 200))

        #expect(seen.microseconds == 0)
        #expect(unseen.microseconds == 200)
    }
}
