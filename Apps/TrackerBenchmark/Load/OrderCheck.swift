import CoreTracker
import EventDelivery
import Locks

/// A check that each thread's events are stored completely and in order.
final class OrderCheck: Sendable {
    private struct State {
        var next: [Int: Int] = [:]
        var disorder = 0
    }

    private let lanes: Int
    private let state = Mutex(State())

    /// Creates a check for events that each go to a number of lanes.
    init(lanes: Int) {
        self.lanes = lanes
    }

    /// Records an event as it is stored.
    ///
    /// Ignores events without the parameters `thread` and `number`.
    func record(_ event: OutgoingEvent) {
        guard case .int(let thread) = event.parameters["thread"], case .int(let number) = event.parameters["number"]
        else { return }
        // Count each lane of a thread separately. Only one of the lanes has default parameters.
        let key = thread * 2 + (event.defaults.isEmpty ? 0 : 1)
        state.withLock { state in
            if state.next[key, default: 0] != number { state.disorder += 1 }
            state.next[key] = number + 1
        }
    }

    /// Returns the fault if the stored events of each thread are not complete and in order.
    func fault(expected: Int, threads: Int) -> String? {
        state.withLock { state in
            if state.disorder > 0 { return "\(state.disorder) events are out of order" }
            let isWhole = state.next.count == threads * lanes && state.next.values.allSatisfy { $0 == expected }
            return isWhole ? nil : "events are missing"
        }
    }
}
