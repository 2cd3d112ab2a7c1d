import CoreTracker
import EventDelivery
import Locks

/// Checks that each thread's events reach the disk whole and in the order in which the thread tracked them.
final class OrderCheck: Sendable {
    private struct State {
        var next: [Int: Int] = [:]
        var disorder = 0
    }

    private let lanes: Int
    private let state = Mutex(State())

    /// Creates a check of events that each go to so many lanes.
    init(lanes: Int) {
        self.lanes = lanes
    }

    /// Notes an event as it is stored; one without the parameters `thread` and `number` is passed over.
    func note(_ event: OutgoingEvent) {
        guard case .int(let thread) = event.parameters["thread"], case .int(let number) = event.parameters["number"]
        else { return }
        // A thread has a count for each lane, told apart by whether the event has default parameters.
        let key = thread * 2 + (event.defaults.isEmpty ? 0 : 1)
        state.withLock { state in
            if state.next[key, default: 0] != number { state.disorder += 1 }
            state.next[key] = number + 1
        }
    }

    /// Says what is wrong once so many events of each thread are stored; `nil` when nothing is.
    func fault(expected: Int, threads: Int) -> String? {
        state.withLock { state in
            if state.disorder > 0 { return "\(state.disorder) events are out of order" }
            let isWhole = state.next.count == threads * lanes && state.next.values.allSatisfy { $0 == expected }
            return isWhole ? nil : "events are missing"
        }
    }
}
