import CoreTracker
import EventDelivery
import Testing

@testable import EventDeliverySimulation

@Suite struct OracleTests {
    @Test func `a request after a denial has returned is seen`() {
        var state = Oracle.State()
        let number = state.setConsent(.denied, about: 0)
        state.returned(.denied, number, about: 0, said: 0, isDone: true)

        _ = state.begin(lane: 0, batch: "b", body: [], [])

        #expect(state.violations.map(\.promise) == [.consentSending])
    }

    @Test func `a request that a denial finds under way is seen`() {
        var state = Oracle.State()
        _ = state.begin(lane: 1, batch: "b", body: [], [])

        let number = state.setConsent(.denied, about: 1)
        state.returned(.denied, number, about: 1, said: 0, isDone: true)

        #expect(state.violations.map(\.promise) == [.consentUnderWay])
    }

    @Test func `events out of order, and two requests at once on an ordered lane, are seen`() {
        var state = Oracle.State()
        for _ in 0..<2 { _ = state.track(lane: 0, TrackOptions(), .plain, now: 0) }

        _ = state.begin(lane: 0, batch: "b", body: [], Line.lines(of: body(1, sequence: 2)))
        _ = state.begin(lane: 0, batch: "c", body: [], Line.lines(of: body(0, sequence: 1)))

        #expect(Set(state.violations.map(\.promise)) == [.oneRequest, .order])
    }

    @Test func `another body under the same batch id, a number used twice and a wrong user are seen`() {
        var state = Oracle.State()
        state.user = "u1"
        for _ in 0..<2 { _ = state.track(lane: 1, TrackOptions(), .plain, now: 0) }

        for number in 0...1 {
            let body = body(number, sequence: 1)
            let request = state.begin(lane: 1, batch: "b", body: body, Line.lines(of: body))
            state.end(request, lane: 1)
        }

        #expect(Set(state.violations.map(\.promise)) == [.identicalRetry, .sequence, .user])
    }

    @Test func `what nobody has tracked is seen`() {
        var state = Oracle.State()

        _ = state.begin(lane: 0, batch: "b", body: [], Line.lines(of: body(3, sequence: 1)))
        _ = state.begin(lane: 1, batch: "c", body: [], Line.lines(of: Array("\"1 2 3\"\n".utf8)))

        #expect(state.violations.map(\.promise) == [.knownEvent])
    }

    @Test func `events that wait for the writer too long are seen`() {
        var state = Oracle.State()
        (state.isOpen, state.fairSince) = (true, 0)
        _ = state.track(lane: 0, TrackOptions(), .plain, now: 1_000_000_000)

        state.checkStored(1, now: 2_200_000_000)
        let early = state.violations
        state.checkStored(1, now: 2_400_000_000)

        #expect(early.isEmpty)
        #expect(state.violations.map(\.promise) == [.storedSoon])
    }

    @Test func `what an erasure has deleted is seen when it is under way or sent afterwards`() {
        var state = Oracle.State()
        state.user = "a"
        for _ in 0..<2 { _ = state.track(lane: 0, TrackOptions(), .plain, now: 0) }
        let request = state.begin(lane: 0, batch: "b", body: [], Line.lines(of: body(0, user: "a", sequence: 1)))
        let other = state.beginErasing("b")
        let number = state.beginErasing("a")
        _ = state.erased(other, .success(0))
        let early = state.violations

        _ = state.erased(number, .success(2))
        state.end(request, lane: 0)
        _ = state.begin(lane: 0, batch: "c", body: [], Line.lines(of: body(1, user: "a", sequence: 2)))

        #expect(early.isEmpty)
        #expect(state.violations.map(\.promise) == [.erasureUnderWay, .erasureRevived])
    }

    @Test func `a batch with an event of an erasure under way may be sent again, another one not`() {
        var state = Oracle.State()
        for user in ["a", "b", "b"] {
            state.user = user
            _ = state.track(lane: 1, TrackOptions(), .plain, now: 0)
        }
        _ = state.beginErasing("a")
        let users = ["a", "b", "b"]
        func send(_ numbers: [Int]) {
            let lines = numbers.flatMap { body($0, user: users[$0], sequence: $0) }
            let request = state.begin(lane: 1, batch: "\(state.requests)", body: [], Line.lines(of: lines))
            state.acknowledge(numbers)
            state.end(request, lane: 1)
        }

        send([0, 1])
        send([1])
        let early = state.violations
        send([2])
        send([2])

        #expect(early.isEmpty)
        #expect(state.violations.map(\.promise) == [.sentOnce])
    }

    @Test func `the storage counts as suspended until somebody resumes it`() {
        var state = Oracle.State()
        (state.isStored, state.isOpen, state.fairSince) = (true, true, 0)

        let first = state.beginSuspending()
        let isSuspended = state.suspended(first)
        let resuming = state.beginResuming()
        let second = state.beginSuspending()
        let isSuspendedAgain = state.suspended(second)
        state.resumed(resuming, now: 1)

        #expect(isSuspended)
        #expect(!isSuspendedAgain)
        #expect(state.mayBeSuspended && !state.isSuspended)
    }

    @Test(arguments: [2, 3] as [Int64])
    func `a request before the end of the wait that its receiver has asked for is seen`(second: Int64) {
        var state = Oracle.State()
        let recalls = state.beginWaiting(lane: 0, now: 0)
        state.endWaiting(HTTPResponse(status: 503, headers: ["Retry-After": "3"]), since: recalls, lane: 0, now: 0)

        _ = state.beginWaiting(lane: 0, now: second * 1_000_000_000)

        #expect(state.violations.map(\.promise) == (second < 3 ? [.waitAsked] : []))
    }

    @Test func `an answer to a request that a word has called back asks for no wait`() {
        var state = Oracle.State()
        let recalls = state.beginWaiting(lane: 0, now: 0)
        _ = state.setConsent(.denied, about: 0)
        state.endWaiting(HTTPResponse(status: 503, headers: ["Retry-After": "3"]), since: recalls, lane: 0, now: 0)

        _ = state.beginWaiting(lane: 0, now: 1)

        #expect(state.violations.isEmpty)
    }

    private func body(_ number: Int, user: String = "-", sequence: Int) -> [UInt8] {
        Array("\"\(number) \(user) s d \(sequence) id\(number) \(Lanes.mark(of: 0))\"\n".utf8)
    }
}
