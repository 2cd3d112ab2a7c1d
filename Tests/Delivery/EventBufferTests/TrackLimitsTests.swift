import Testing

@testable import EventBuffer

@Suite struct TrackLimitsTests {
    @Test func `events of one name beyond the limit per minute are refused, but not those of another`() {
        var limiter = TrackLimiter(TrackLimits(eventsPerMinute: 2))
        let start = MonotonicInstant(nanoseconds: 0)

        let refusals = (1...3).map { _ in limiter.refusal(of: "viewed", session: "s", now: start) }

        #expect(refusals == [nil, nil, .rateCapped])
        #expect(limiter.refusal(of: "tapped", session: "s", now: start) == nil)
        #expect(limiter.refusal(of: "viewed", session: "s", now: start.advanced(by: .seconds(60))) == nil)
    }

    @Test func `a thread that read the clock in the previous minute does not restart the count`() {
        var limiter = TrackLimiter(TrackLimits(eventsPerMinute: 1))
        let after = MonotonicInstant(nanoseconds: 60_000_000_000)
        let before = MonotonicInstant(nanoseconds: 59_999_999_999)

        let refusals = [after, before, after].map { limiter.refusal(of: "viewed", session: "s", now: $0) }

        #expect(refusals == [nil, .rateCapped, .rateCapped])
    }

    @Test(arguments: [(0.0, 0...0), (1.0, 1_000...1_000), (0.25, 200...300)])
    func `the sampled share of the sessions is accepted`(share: Double, expected: ClosedRange<Int>) {
        var limiter = TrackLimiter(TrackLimits(sampling: ["viewed": share]))
        let now = MonotonicInstant(nanoseconds: 0)

        let taken = (1...1_000).count { limiter.refusal(of: "viewed", session: "session \($0)", now: now) == nil }

        #expect(expected.contains(taken))
    }

    @Test func `in a session, either all events of a name are accepted or none`() {
        var limiter = TrackLimiter(TrackLimits(sampling: ["viewed": 0.5]))
        let now = MonotonicInstant(nanoseconds: 0)

        for session in 1...50 {
            let answers = (1...5).map { _ in limiter.refusal(of: "viewed", session: "\(session)", now: now) }
            #expect(Set(answers).count == 1)
        }
    }
}
