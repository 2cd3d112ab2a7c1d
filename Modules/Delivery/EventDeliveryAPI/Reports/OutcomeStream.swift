package import CoreTracker
import Locks

/// A publisher of outcomes for any number of listeners, each with a bounded mailbox.
package final class OutcomeStream: Sendable {
    private struct State {
        var mailboxes: [Int: OutcomeMailbox] = [:]
        var nextNumber = 0
        var isFinished = false
    }

    private let state = Mutex(State())
    private let isHeard = Atomic(false)
    private let clock: any DeliveryClock

    init(clock: any DeliveryClock) {
        self.clock = clock
    }

    /// Whether there is any listener.
    ///
    /// It costs one relaxed load. Publish outcomes only if it is `true`.
    package var hasListeners: Bool { isHeard.load(ordering: .relaxed) }

    /// Publishes an outcome of events of one lane.
    ///
    /// - Parameters:
    ///   - kind: The kind.
    ///   - lane: The lane.
    ///   - ids: The ids of the events.
    package func publish(_ kind: EventOutcome.Kind, lane: LaneID, _ ids: some Sequence<EventID>) {
        publish(ids.map { (kind: kind, lane: lane, id: $0, count: 1) })
    }

    /// Publishes outcomes, which have the present time.
    ///
    /// - Parameter outcomes: The outcomes, in their order. An outcome of several events has no id.
    package func publish(_ outcomes: [(kind: EventOutcome.Kind, lane: LaneID, id: EventID?, count: Int)]) {
        guard !outcomes.isEmpty else { return }
        let time = clock.wallTime()
        let made = outcomes.map { EventOutcome($0.kind, lane: $0.lane, id: $0.id, count: $0.count, time: time) }
        for mailbox in state.withLock({ Array($0.mailboxes.values) }) { mailbox.add(made) }
    }

    /// Returns a stream of outcomes from now on.
    ///
    /// - Parameter limit: The maximum number of outcomes waiting for the listener.
    func subscribe(bufferingNewest limit: Int) -> AsyncStream<EventOutcome> {
        let mailbox = OutcomeMailbox(limit: limit)
        let number = state.withLock { state in
            state.nextNumber += 1
            if state.isFinished { mailbox.finish() } else { state.mailboxes[state.nextNumber] = mailbox }
            isHeard.store(!state.mailboxes.isEmpty, ordering: .relaxed)
            return state.nextNumber
        }
        let subscription = Subscription { [weak self] in self?.remove(number) }
        return AsyncStream {
            await mailbox.next(of: subscription)
        } onCancel: { [weak self] in
            self?.remove(number)
            mailbox.finish()
        }
    }

    /// Ends all streams after the outcomes that wait.
    package func finish() {
        let mailboxes = state.withLock { state in
            state.isFinished = true
            defer { state.mailboxes = [:] }
            return Array(state.mailboxes.values)
        }
        isHeard.store(false, ordering: .relaxed)
        for mailbox in mailboxes { mailbox.finish() }
    }

    private func remove(_ number: Int) {
        state.withLock { state in
            state.mailboxes[number] = nil
            isHeard.store(!state.mailboxes.isEmpty, ordering: .relaxed)
        }
    }
}

/// A stream's interest in outcomes, which ends with the stream.
final class Subscription: Sendable {
    private let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit { end() }
}

/// A bounded queue of outcomes for one listener, which loses and counts the oldest ones.
final class OutcomeMailbox: Sendable {
    private struct State {
        /// The outcomes, waiting from `start` on.
        var outcomes: [EventOutcome] = []
        var start = 0
        /// The number of lost outcomes before the oldest waiting one.
        var missed = 0
        var isFinished = false
        var waiter: CheckedContinuation<EventOutcome?, Never>?

        mutating func append(_ new: [EventOutcome], limit: Int) {
            outcomes += new
            let excess = max(0, outcomes.count - start - limit)
            (start, missed) = (start + excess, missed + excess)
            // Remove several outcomes at once, not one for each new outcome.
            guard start >= limit else { return }
            outcomes.removeFirst(start)
            start = 0
        }

        mutating func removeFirst() -> EventOutcome? {
            guard start < outcomes.count else { return nil }
            var first = outcomes[start]
            (first.missed, missed) = (missed, 0)
            start += 1
            if start == outcomes.count {
                outcomes.removeAll(keepingCapacity: true)
                start = 0
            }
            return first
        }
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Adds outcomes, and resumes the listener if it waits.
    func add(_ outcomes: [EventOutcome]) {
        let resumed: (waiter: CheckedContinuation<EventOutcome?, Never>, first: EventOutcome)? = state.withLock {
            state in
            guard !state.isFinished else { return nil }
            state.append(outcomes, limit: limit)
            guard let waiter = state.waiter.take(), let first = state.removeFirst() else { return nil }
            return (waiter, first)
        }
        if let resumed { resumed.waiter.resume(returning: resumed.first) }
    }

    /// Returns the next outcome, or `nil` after the end.
    ///
    /// - Parameter subscription: The subscription. It ends when the stream is released.
    func next(of subscription: Subscription) async -> EventOutcome? {
        await withCheckedContinuation { continuation in
            let (next, isReady) = state.withLock { state in
                if let first = state.removeFirst() { return (Optional(first), true) }
                // A stream has one listener.
                guard !state.isFinished, state.waiter == nil else { return (nil, true) }
                state.waiter = continuation
                return (nil, false)
            }
            if isReady { continuation.resume(returning: next) }
        }
    }

    /// Accepts no further outcomes.
    func finish() {
        let waiter = state.withLock { state in
            state.isFinished = true
            return state.waiter.take()
        }
        waiter?.resume(returning: nil)
    }
}
