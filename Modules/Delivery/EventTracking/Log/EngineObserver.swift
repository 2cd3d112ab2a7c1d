package import CoreTracker
import Locks

/// A listener to an engine's diagnostics and to the state of its lanes, such as its log.
///
/// The engine calls it in a task of its own, one call at a time, outside all locks and outside the store's turn.
package protocol EngineObserver: Sendable {
    /// Whether it receives a note for each event and each request.
    var isDetailed: Bool { get }
    /// Looks at the lanes after a change.
    ///
    /// - Parameters:
    ///   - lanes: The statistics of all lanes.
    ///   - notes: What has happened since the last look, in its order.
    ///   - isFinal: Whether the engine is closed.
    /// - Returns: The time of the next look if nothing changes before, and whether a reported cause may end, so that each
    ///   change of a lane needs a look.
    func look(at lanes: [LaneStatistics], _ notes: [EngineNote], isFinal: Bool)
        -> (due: MonotonicInstant?, hasCauses: Bool)
}

/// Something that has happened in an engine, for its observer.
package enum EngineNote: Sendable {
    case diagnostic(Diagnostic)
    /// The writer has taken an event.
    case tracked(LaneID, name: String)
    /// A request has ended with a status or a transport's error.
    case requested(LaneID, events: Int, receiver: String, result: String, duration: Duration)
    /// A number of notes is missing, because they came faster than the observer's looks.
    case missed(Int)
}

/// The looks of an engine's observer, and its notes until the next look.
///
/// An observer looks after a diagnostic, a change of consent or of a hold, and five seconds after the start of a
/// request. It never looks within a quarter of a second after its last look.
package final class Observation: Sendable {
    private struct State {
        var observer: (any EngineObserver)?
        /// The notes for the next look, or `nil` if the app has chosen no observer.
        var notes: [EngineNote]? = []
        var missed = 0
        var hasCauses = false
        /// The time of the next look, if any.
        var due: MonotonicInstant?
        var lastLook: MonotonicInstant?
        var isLooking = false
        var isEnded = false
    }

    /// The minimum time between two looks.
    private static let spacing = Duration.milliseconds(250)
    /// The maximum number of notes between two looks, and before the app opens the engine.
    private static let maximumNotes = 8_192

    private let state = Mutex(State())
    private let clock: any DeliveryClock
    /// The signal that a look is due earlier than before.
    private let wake = WakeSignal()

    init(clock: any DeliveryClock) { self.clock = clock }

    /// Whether the observer receives a note for each event and each request.
    package var isDetailed: Bool { state.withLock { $0.observer?.isDetailed ?? false } }

    /// Whether each change of a lane needs a look.
    package var hasCauses: Bool { state.withLock { $0.hasCauses } }

    /// The time of the look under way or of the next look, or `nil` if none is due.
    package var due: MonotonicInstant? { state.withLock { $0.isLooking ? $0.lastLook : $0.due } }

    /// Sets the observer of an opened engine.
    ///
    /// - Parameter observer: The observer, which gets the notes from before the opening, or `nil`.
    package func begin(_ observer: (any EngineObserver)?) {
        state.withLock { state in
            state.observer = observer
            if observer == nil { state.notes = nil }
        }
    }

    /// Keeps a note for the observer, and plans a look.
    package func note(_ note: EngineNote) {
        state.withLock { state in
            guard let count = state.notes?.count else { return }
            if count < Observation.maximumNotes { state.notes?.append(note) } else { state.missed += 1 }
        }
        planLook()
    }

    /// Plans a look.
    ///
    /// - Parameter delay: The time until the look.
    package func planLook(in delay: Duration = .zero) {
        let now = clock.monotonicTime()
        let isEarlier = state.withLock { state in
            guard state.notes != nil else { return false }
            let earliest = state.lastLook.map { $0.advanced(by: Observation.spacing) } ?? now
            let due = max(now.advanced(by: delay), earliest)
            guard state.due.map({ due < $0 }) ?? true else { return false }
            state.due = due
            return true
        }
        if isEarlier { wake.signal() }
    }

    /// Makes the observer look whenever a look is due, until ``end()``, and then once more.
    ///
    /// - Parameters:
    ///   - runtime: The tasks for timers.
    ///   - read: Returns the present statistics of all lanes.
    package func run(_ runtime: EngineRuntime, _ read: @Sendable () async -> [LaneStatistics]) async {
        while state.withLock({ $0.observer != nil && !$0.isEnded }) {
            switch due {
            case nil: await wake.wait()
            case let due? where due > clock.monotonicTime():
                await wake.wait(until: due, clock: clock, runtime: runtime)
            case _?: await look(read)
            }
        }
        await look(read)
    }

    /// Ends ``run(_:_:)``.
    package func end() {
        state.withLock { $0.isEnded = true }
        wake.signal()
    }

    /// Makes the observer look once.
    ///
    /// A look that is planned while the statistics are read is not lost. Looks must not overlap.
    ///
    /// - Parameters:
    ///   - isFinal: Whether the engine is closed.
    ///   - read: Returns the present statistics of all lanes.
    @inline(never) package func look(isFinal: Bool = false, _ read: @Sendable () async -> [LaneStatistics]) async {
        let now = clock.monotonicTime()
        guard let observer = state.withLock(\.observer) else { return }
        state.withLock { ($0.due, $0.lastLook, $0.isLooking) = (nil, now, true) }
        let lanes = await read()
        // The notes are taken last, so a change in the statistics is never without its note.
        let notes = state.withLock { state in
            defer { (state.notes, state.missed) = ([], 0) }
            return (state.notes ?? []) + (state.missed > 0 ? [.missed(state.missed)] : [])
        }
        let next = observer.look(at: lanes, notes, isFinal: isFinal)
        state.withLock { state in
            state.due = [state.due, next.due].compactMap(\.self).min()
            (state.hasCauses, state.isLooking) = (next.hasCauses, false)
        }
    }
}
