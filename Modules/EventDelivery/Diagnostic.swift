public import CoreTracker
import Locks

/// Something that an app may want to log: ids, counts and codes only, never a payload or a secret.
public enum Diagnostic: Sendable, Hashable {
    /// The outbox is open, with this many pending events of earlier runs.
    case opened(pending: Int)
    /// The outbox cannot be used for now; events are kept in memory, up to its bound.
    case storageFailed(OutboxError)
    /// The outbox can be used again.
    case storageRecovered
    /// A damaged outbox was set aside, and its sound events were brought into a new one.
    case salvaged(events: Int)
    /// An outbox that this version cannot read was set aside whole.
    case setAside(OutboxError)
    /// The outbox of an ended process was taken over.
    case adopted(events: Int)
    /// The outbox of an ended process cannot be read for now; it stays as it is, and is tried again.
    case adoptionFailed(OutboxError)
    /// Events were lost.
    case dropped(lane: LaneID, reason: DropReason, count: Int)
    /// An event was refused by its receiver and is kept for inspection.
    case quarantined(lane: LaneID, id: EventID, reason: String)
    /// An attempt failed for a passing cause.
    case retrying(lane: LaneID, cause: String, wait: Duration)
    /// Sending is useless until the cause is gone; nothing is lost meanwhile.
    case paused(lane: LaneID, reason: PauseReason)
    /// A lane that had failed or paused delivers again.
    case recovered(lane: LaneID)
    /// Nobody has said anything about a purpose, neither the user nor the configuration: the default counts, which is
    /// to send.
    case consentAssumed(ConsentPurpose)
    /// A user's id looks like an e-mail address, which services forbid, and goes to them as it is; said once.
    case userIDLooksPersonal
}

/// Hands diagnostics to everyone who listens; a listener that falls behind loses the oldest ones.
final class DiagnosticStream: Sendable {
    private struct State {
        var listeners: [Int: AsyncStream<Diagnostic>.Continuation] = [:]
        var nextNumber = 0
        var isFinished = false
        /// What must not be missed for want of a listener.
        var unheard: [Diagnostic] = []
    }

    private let state = Mutex(State())

    /// A stream of what happens from now on; the newest 256 are kept for a slow listener.
    ///
    /// It ends when the engine is closed; after that it ends at once.
    func subscribe() -> AsyncStream<Diagnostic> {
        let (stream, continuation) = AsyncStream.makeStream(of: Diagnostic.self, bufferingPolicy: .bufferingNewest(256))
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.nextNumber += 1
            state.listeners[state.nextNumber] = continuation
            for diagnostic in state.unheard { continuation.yield(diagnostic) }
            state.unheard = []
            return state.nextNumber
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }

    func send(_ diagnostic: Diagnostic) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(diagnostic) }
    }

    /// Sends what is said once; where nobody listens yet, the first listener hears it.
    func sendOnce(_ diagnostic: Diagnostic) {
        let isHeard = state.withLock { state in
            if state.listeners.isEmpty, !state.unheard.contains(diagnostic) { state.unheard.append(diagnostic) }
            return !state.listeners.isEmpty
        }
        if isHeard { send(diagnostic) }
    }

    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
