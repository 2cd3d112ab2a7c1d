import Synchronization

/// Who tracks now, and in which session: asked at each call, changed seldom.
///
/// A change comes with a new number. Each shard of the intake keeps the identity that it has read last and asks again
/// only when the number has changed, so that calls share no lock for it.
final class CurrentIdentity: Sendable {
    private let identity: Mutex<Identity>
    /// How often the identity has been changed.
    private let changes = Atomic<Int>(0)
    /// When an event was tracked last, in nanoseconds of the monotonic clock.
    private let lastTrack: Atomic<Int64>
    /// After how many nanoseconds without an event a new session begins.
    private let sessionTimeout = Atomic<Int64>(.max)

    init(_ identity: Identity, now: MonotonicInstant) {
        self.identity = Mutex(identity)
        lastTrack = Atomic(now.nanoseconds)
    }

    /// The identity that an event gets that is tracked now.
    var value: Identity { identity.withLock { $0 } }

    /// How often the identity has been changed; costs no lock.
    var version: Int { changes.load(ordering: .acquiring) }

    /// The identity to freeze into events, with its version.
    var frozen: (identity: FrozenIdentity, version: Int) {
        identity.withLock { (FrozenIdentity($0), changes.load(ordering: .relaxed)) }
    }

    /// Changes the identity of all events that are tracked from now on, whatever thread tracks them.
    func change(_ body: (inout Identity) -> Void) {
        identity.withLock {
            body(&$0)
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Changes the identity with a session that begins now, however long ago the last event was.
    func startSession(at now: MonotonicInstant, _ body: (inout Identity) -> Void) {
        lastTrack.max(now.nanoseconds, ordering: .releasing)
        change(body)
    }

    /// Begins new sessions from now on where no event was tracked for so long.
    func setSessionTimeout(_ timeout: Duration?) {
        sessionTimeout.store(timeout?.nanoseconds ?? .max, ordering: .relaxed)
    }

    /// Notes that an event is tracked, and begins a new session when the last one was too long ago.
    func noteTrack(at now: MonotonicInstant, time: Timestamp, ids: EventIDGenerator) {
        guard isSessionOver(at: now) else {
            lastTrack.max(now.nanoseconds, ordering: .relaxed)
            return
        }
        identity.withLock { identity in
            // Another thread may have begun it meanwhile.
            guard isSessionOver(at: now) else { return }
            identity.startSession(id: ids.next(at: time).description, at: time)
            changes.wrappingAdd(1, ordering: .releasing)
            // Whoever sees that the session goes on sees the new one.
            lastTrack.store(now.nanoseconds, ordering: .releasing)
        }
    }

    private func isSessionOver(at now: MonotonicInstant) -> Bool {
        let last = MonotonicInstant(nanoseconds: lastTrack.load(ordering: .acquiring))
        return last.duration(to: now).nanoseconds > sessionTimeout.load(ordering: .relaxed)
    }
}

/// The identity that all events tracked under it share, so that freezing it costs one reference.
final class FrozenIdentity: Sendable {
    let identity: Identity

    init(_ identity: Identity) {
        self.identity = identity
    }
}

extension Identity {
    /// Begins a session; the next event is its first.
    mutating func startSession(id: String, at time: Timestamp) {
        sessionID = id
        sessionStart = time
    }
}
