import CoreTracker
import EventDelivery
import Testing

@testable import EventDeliverySimulation

@Suite struct OracleTests {
    @Test func `a request after the return of a denial is reported`() {
        var state = Oracle.State()
        let number = state.setConsent(.denied, about: 0)
        state.returned(.denied, number, about: 0, said: 0, isDone: true)

        _ = state.begin(lane: 0, batch: "b", body: [], [])

        #expect(state.violations.map(\.promise) == [.consentSending])
    }

    @Test func `a request that is still in flight when a denial returns is reported`() {
        var state = Oracle.State()
        _ = state.begin(lane: 1, batch: "b", body: [], [])

        let number = state.setConsent(.denied, about: 1)
        state.returned(.denied, number, about: 1, said: 0, isDone: true)

        #expect(state.violations.map(\.promise) == [.consentUnderWay])
    }

    @Test func `events out of order, and two concurrent requests on an ordered lane, are reported`() {
        var state = Oracle.State()
        for _ in 0..<2 { _ = state.track(lane: 0, TrackOptions(), .plain, now: 0) }

        _ = state.begin(lane: 0, batch: "b", body: [], Line.lines(of: body(1, sequence: 2)))
        _ = state.begin(lane: 0, batch: "c", body: [], Line.lines(of: body(0, sequence: 1)))

        #expect(Set(state.violations.map(\.promise)) == [.oneRequest, .order])
    }

    @Test func `a different body with the same batch id, a repeated sequence number and a wrong user are reported`() {
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

    @Test(arguments: [true, false])
    func `a loss of an acknowledged event is reported if no erasure has cancelled its request`(isErased: Bool) {
        var state = Oracle.State()
        state.possibleLosses.insert(.bufferFull)
        let number = state.track(lane: 0, TrackOptions(), .plain, now: 0)
        let request = state.begin(lane: 0, batch: "b", body: [], Line.lines(of: body(number, sequence: 1)))
        if isErased { _ = state.beginErasing("other") }
        state.acknowledge([number], lane: 0)
        state.end(request, lane: 0)

        state.record(Receipt(id: EventID(high: 0, low: 1), outcome: .dropped(.bufferFull)), of: number)

        #expect(state.violations.map(\.promise).contains(.receiptLost) == !isErased)
    }

    @Test func `an event that was not tracked is reported`() {
        var state = Oracle.State()

        _ = state.begin(lane: 0, batch: "b", body: [], Line.lines(of: body(3, sequence: 1)))
        _ = state.begin(lane: 1, batch: "c", body: [], Line.lines(of: Array("\"1 2 3\"\n".utf8)))

        #expect(state.violations.map(\.promise) == [.knownEvent])
    }

    @Test func `events that wait for the writer too long are reported`() {
        var state = Oracle.State()
        (state.isOpen, state.fairSince) = (true, 0)
        _ = state.track(lane: 0, TrackOptions(), .plain, now: 1_000_000_000)

        state.checkStored(1, now: 2_200_000_000)
        let early = state.violations
        state.checkStored(1, now: 2_400_000_000)

        #expect(early.isEmpty)
        #expect(state.violations.map(\.promise) == [.storedSoon])
    }

    @Test func `an erased event that is in flight or is sent afterwards is reported`() {
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

    @Test func `only a batch with an event that a running erasure covers may be sent again`() {
        var state = Oracle.State()
        for user in ["a", "b", "b"] {
            state.user = user
            _ = state.track(lane: 0, TrackOptions(), .plain, now: 0)
        }
        _ = state.beginErasing("a")
        let users = ["a", "b", "b"]
        func send(_ numbers: [Int]) {
            let lines = numbers.flatMap { body($0, user: users[$0], sequence: $0) }
            let request = state.begin(lane: 0, batch: "\(state.requests)", body: [], Line.lines(of: lines))
            state.acknowledge(numbers, lane: 0)
            state.end(request, lane: 0)
        }

        send([0, 1])
        send([1])
        let early = state.violations
        send([2])
        send([2])

        #expect(early.isEmpty)
        #expect(state.violations.map(\.promise) == [.sentOnce])
    }

    @Test func `an event in a scope belongs to the scope's user and session, and an erasure of its user covers it`() {
        var state = Oracle.State()
        state.user = "a"
        for scope in [3, nil] { _ = state.track(lane: 0, TrackOptions(), .plain, scope: scope, now: 0) }
        let number = state.beginErasing(Scopes.user(of: 3))
        _ = state.erased(number, .success(1))

        for number in 0...1 {
            let lines = Line.lines(of: body(number, user: "a", sequence: number))
            let request = state.begin(lane: 0, batch: "\(number)", body: [], lines)
            state.end(request, lane: 0)
        }

        #expect(state.violations.map(\.promise) == [.user, .erasureRevived, .session, .installation])
    }

    @Test func `a request with the events of two users is reported on the lane that separates them`() {
        var state = Oracle.State()
        for (lane, user) in [(0, "a"), (0, "b"), (1, "a"), (1, "b")] {
            state.user = user
            _ = state.track(lane: lane, TrackOptions(), .plain, now: 0)
        }
        func send(_ numbers: [Int], lane: Int) -> [Promise] {
            let lines = numbers.flatMap { body($0, user: state.events[$0].user, sequence: $0) }
            _ = state.begin(lane: lane, batch: "\(lane)", body: [], Line.lines(of: lines))
            return state.violations.map(\.promise)
        }

        #expect(send([0, 1], lane: 0).isEmpty)
        #expect(send([2, 3], lane: 1) == [.oneUser])
    }

    @Test func `the storage counts as suspended until it is resumed`() {
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
    func `a request before the end of its receiver's Retry-After is reported`(second: Int64) {
        var state = Oracle.State()
        let recalls = state.beginWaiting(lane: 0, now: 0)
        state.endWaiting(HTTPResponse(status: 503, headers: ["Retry-After": "3"]), since: recalls, lane: 0, now: 0)

        _ = state.beginWaiting(lane: 0, now: second * 1_000_000_000)

        #expect(state.violations.map(\.promise) == (second < 3 ? [.waitAsked] : []))
    }

    @Test func `the Retry-After in a response to a cancelled request is ignored`() {
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
