package import CoreTracker
import Locks

/// A listener of the outcomes of events.
package protocol OutcomeListener: AnyObject, Sendable {
    /// Receives outcomes of one lane or of several, in their order.
    ///
    /// It is called outside of locks, on the store's executor or on a thread that calls `track`. It must neither wait
    /// nor call the engine, so a listener keeps the outcomes for its own task.
    func receive(_ outcomes: [EventOutcome])
    /// Receives the end of the outcomes, because the engine is closed.
    func finish()
}

/// The listeners of an engine's outcomes.
package final class OutcomeListeners: Sendable {
    private struct State {
        var listeners: [any OutcomeListener] = []
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

    /// Adds a listener, unless it is known, for all outcomes from now on.
    package func add(_ listener: any OutcomeListener) {
        let isFinished = state.withLock { state in
            if !state.isFinished, !state.listeners.contains(where: { $0 === listener }) {
                state.listeners.append(listener)
                isHeard.store(true, ordering: .relaxed)
            }
            return state.isFinished
        }
        if isFinished { listener.finish() }
    }

    /// Removes a listener.
    package func remove(_ listener: any OutcomeListener) {
        state.withLock { state in
            state.listeners.removeAll { $0 === listener }
            isHeard.store(!state.listeners.isEmpty, ordering: .relaxed)
        }
    }

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
        for listener in state.withLock({ $0.listeners }) { listener.receive(made) }
    }

    /// Ends the outcomes.
    package func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [] }
            return state.listeners
        }
        isHeard.store(false, ordering: .relaxed)
        for listener in listeners { listener.finish() }
    }
}
