import CoreTracker
import EventDelivery
import Testing

@testable import EventDeliverySimulation

/// Tests of the oracle with requests that keep or break the order of a lane.
@Suite struct OracleOrderTests {
    /// A request, and the events accepted by the receiver, or refused alone and without a reason.
    enum Request: Sendable {
        case sent([Int])
        case taken([Int], of: [Int])
        case unexplained(Int, times: Int)
    }

    /// Sequences in the promised order of a lane.
    static let allowed: [[Request]] = [
        [.sent([0, 1, 2]), .sent([0, 1, 2]), .taken([0, 1, 2], of: [0, 1, 2]), .sent([3])],
        // A partial response, a bisection, a smaller body and the rest of a dissolved batch.
        [.taken([1], of: [0, 1, 2]), .sent([0, 2]), .taken([0, 2], of: [0, 2]), .sent([3, 4])],
        [.sent([0, 1, 2, 3]), .taken([0, 1], of: [0, 1]), .taken([2, 3], of: [2, 3]), .sent([4])],
        [.sent([0, 1, 2, 3]), .sent([0]), .taken([0], of: [0]), .sent([1]), .taken([1], of: [1]), .sent([2, 3])],
        [.sent([0, 1, 2, 3]), .sent([0, 2, 3]), .sent([0, 2, 3])],
        // An event was passed over. It is refused, or sent again before a later event was accepted.
        [.unexplained(0, times: 5), .taken([1], of: [1]), .sent([2])],
        [.unexplained(0, times: 5), .unexplained(1, times: 1), .sent([0]), .sent([1])],
    ]

    @Test(arguments: allowed) func `requests in the promised order are accepted`(requests: [Request]) {
        #expect(violations(of: requests).isEmpty)
    }

    /// Sequences that break the promise.
    static let broken: [[Request]] = [
        [.sent([1, 0])],
        [.sent([1]), .sent([0])],
        [.sent([0]), .sent([1]), .sent([0])],
        [.taken([1], of: [0, 1]), .sent([2]), .sent([0])],
        [.sent([0, 1, 2, 3]), .sent([2, 3]), .sent([0, 1])],
        [.unexplained(0, times: 4), .sent([1]), .sent([0])],
        [.unexplained(0, times: 5), .taken([1], of: [1]), .sent([0])],
        [.unexplained(0, times: 5), .sent([0]), .sent([1]), .sent([0])],
    ]

    @Test(arguments: broken) func `an event that follows a later one is reported`(requests: [Request]) {
        #expect(violations(of: requests) == [.order])
    }

    @Test func `a lane without order may send its events in any order`() {
        #expect(violations(of: [.sent([1]), .sent([0])], lane: 1).isEmpty)
    }

    private func violations(of requests: [Request], lane: Int = 0) -> [Promise] {
        var state = Oracle.State()
        for _ in 0...4 { _ = state.track(lane: lane, TrackOptions(), .plain, now: 0) }
        func send(_ numbers: [Int], _ receive: (inout Oracle.State) -> Void) {
            let text = numbers.map { "\"\($0) - s d \($0 + 1) id\($0) \(Lanes.mark(of: 0))\"\n" }.joined()
            let lines = Line.lines(of: Array(text.utf8))
            let request = state.begin(lane: lane, batch: "\(state.requests)", body: [], lines)
            receive(&state)
            state.end(request, lane: lane)
        }
        for request in requests {
            switch request {
            case .sent(let numbers): send(numbers) { _ in }
            case .taken(let taken, let numbers): send(numbers) { $0.acknowledge(taken, lane: lane) }
            case .unexplained(let number, let times):
                for _ in 1...times { send([number]) { $0.events[number].isUnexplained = true } }
            }
        }
        return state.violations.map(\.promise)
    }
}
