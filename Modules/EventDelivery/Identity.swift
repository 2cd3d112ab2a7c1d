import CoreTracker
import Locks

/// Who an event belongs to: frozen into the event at the moment of tracking and never looked up again.
public struct Identity: Sendable, Hashable {
    /// The installation: 32 hexadecimal digits, made anew by a reset.
    public var deviceID: String
    /// The signed-in user, as the app names them; `nil` also for one who is known by a sensitive id.
    public var userID: String?
    /// The sensitive id of the signed-in user, which each service gets as the policy says.
    var sensitiveUser: SensitiveParameter?
    /// What is stored of the user's events is found by, when it is to be erased.
    var mark = UserMark.nobody
    /// The session that the event belongs to; order is kept within one session.
    public var sessionID: String
    /// When the session began.
    public var sessionStart: Timestamp

    /// Creates an identity.
    public init(deviceID: String, userID: String? = nil, sessionID: String, sessionStart: Timestamp) {
        self.deviceID = deviceID
        self.userID = userID
        self.sessionID = sessionID
        self.sessionStart = sessionStart
    }
}

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
        // No `Duration`, whose conversion costs more than all else that is asked here, at each call.
        let pause = now.nanoseconds.subtractingReportingOverflow(lastTrack.load(ordering: .acquiring))
        return !pause.overflow && pause.partialValue > sessionTimeout.load(ordering: .relaxed)
    }
}

/// The identity that all events tracked under it share, so that freezing it costs one reference.
final class FrozenIdentity: Sendable {
    let identity: Identity

    init(_ identity: Identity) {
        self.identity = identity
    }
}

extension UserMark {
    /// The mark of a user's id: two ids with other bytes are two users.
    init(userID: String) {
        let value = SHA256.digest(of: Array(userID.utf8)).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(rawValue: max(1, value))
    }
}

extension Identity {
    /// Sets the user, known by an id that goes to services as it is, by one that each gets as its policy says, or none.
    mutating func setUser(_ id: String?, _ sensitive: SensitiveParameter? = nil) {
        (userID, sensitiveUser) = (id, sensitive)
        mark = (id ?? sensitive?.text).map(UserMark.init(userID:)) ?? .nobody
    }

    /// Whether a user's id looks like an e-mail address, also one that is escaped for a URL.
    static func looksLikeAddress(_ userID: String) -> Bool {
        let text = userID.replacing("%40", with: "@").utf8
        guard let at = text.lastIndex(of: UInt8(ascii: "@")), at > text.startIndex else { return false }
        let domain = text[text.index(after: at)...]
        return domain.contains(UInt8(ascii: ".")) && domain.first != UInt8(ascii: ".")
    }

    /// Begins a session; the next event is its first.
    mutating func startSession(id: String, at time: Timestamp) {
        sessionID = id
        sessionStart = time
    }
}
