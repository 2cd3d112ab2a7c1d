import Locks

/// A gate that delays requests until a test opens it.
public final class CollectorHold: Sendable {
    private struct State {
        var isReleased = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate is open.
    public var isReleased: Bool { state.withLock { $0.isReleased } }

    /// Opens the gate permanently.
    ///
    /// All waiting requests continue.
    public func release() {
        let waiting = state.withLock { state in
            state.isReleased = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    /// Calls a closure when the gate opens, or immediately if it is open.
    func whenReleased(_ resume: @escaping @Sendable () -> Void) {
        let isReleased = state.withLock { state in
            if !state.isReleased { state.waiting.append(resume) }
            return state.isReleased
        }
        if isReleased { resume() }
    }
}
