package import CoreTracker
import Locks

/// The user, installation and session of an event, fixed at the moment of tracking.
public struct Identity: Sendable, Hashable {
    /// The installation's id: 32 hexadecimal digits.
    ///
    /// A reset replaces it.
    public var deviceID: String
    /// The app's id for the signed-in user.
    ///
    /// `nil` if there is none, or if the id is sensitive.
    public var userID: String?
    /// The sensitive id of the signed-in user.
    ///
    /// The policy decides the form that each service gets.
    package var sensitiveUser: SensitiveParameter?
    /// A hash by which an erasure finds the user's stored events.
    package var userHash = UserHash.nobody
    /// The session of the event.
    ///
    /// Events keep their order within one session.
    public var sessionID: String
    /// The time at which the session started.
    public var sessionStart: Timestamp

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - deviceID: The installation's id.
    ///   - userID: The app's id for the signed-in user, if any.
    ///   - sessionID: The session's id.
    ///   - sessionStart: The time at which the session started.
    public init(deviceID: String, userID: String? = nil, sessionID: String, sessionStart: Timestamp) {
        self.deviceID = deviceID
        self.userID = userID
        self.sessionID = sessionID
        self.sessionStart = sessionStart
    }
}

/// The current user and session, which are read at each call of `track` and change rarely.
///
/// Each change increments ``version``. A shard of the event buffer keeps the identity that it read last, and reads it
/// again only if the version has changed. Calls therefore share no lock.
package final class CurrentIdentity: Sendable {
    private let identity: Mutex<Identity>
    /// The number of changes of the identity.
    private let changes = Atomic<Int>(0)
    /// The time of the last tracked event, in nanoseconds of the monotonic clock.
    private let lastTrack: Atomic<Int64>
    /// The number of nanoseconds without an event after which a new session starts.
    private let sessionTimeout = Atomic<Int64>(.max)

    init(_ identity: Identity, now: MonotonicInstant) {
        self.identity = Mutex(identity)
        lastTrack = Atomic(now.nanoseconds)
    }

    /// The identity of an event that is tracked now.
    package var value: Identity { identity.withLock { $0 } }

    /// The session's id, or `nil` if an event that is tracked now would start a session.
    func currentSession(at now: MonotonicInstant) -> String? {
        isSessionOver(at: now) ? nil : value.sessionID
    }

    /// The number of changes of the identity.
    ///
    /// Reading it takes no lock.
    var version: Int { changes.load(ordering: .acquiring) }

    /// The identity for new events, with its version.
    var frozen: (identity: FrozenIdentity, version: Int) {
        identity.withLock { (FrozenIdentity($0), changes.load(ordering: .relaxed)) }
    }

    /// Changes the identity of all events that are tracked from now on, on every thread.
    package func change(_ body: (inout Identity) -> Void) {
        identity.withLock {
            body(&$0)
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    /// Changes the identity and starts a session now, even if the last event was long ago.
    func startSession(at now: MonotonicInstant, _ body: (inout Identity) -> Void) {
        lastTrack.max(now.nanoseconds, ordering: .releasing)
        change(body)
    }

    /// Sets the time without an event after which a new session starts.
    func setSessionTimeout(_ timeout: Duration?) {
        sessionTimeout.store(timeout?.nanoseconds ?? .max, ordering: .relaxed)
    }

    /// Records that an event was tracked, and starts a new session if the last event is older than the timeout.
    func noteTrack(at now: MonotonicInstant, time: Timestamp, ids: EventIDGenerator) {
        guard isSessionOver(at: now) else {
            lastTrack.max(now.nanoseconds, ordering: .relaxed)
            return
        }
        identity.withLock { identity in
            // Another thread may have started it in the meantime.
            guard isSessionOver(at: now) else { return }
            identity.startSession(id: ids.next(at: time).description, at: time)
            changes.wrappingAdd(1, ordering: .releasing)
            // Stored last: a thread that sees this time also sees the new session.
            lastTrack.store(now.nanoseconds, ordering: .releasing)
        }
    }

    private func isSessionOver(at now: MonotonicInstant) -> Bool {
        // Converting to `Duration` costs more than the rest of this function, which runs at each call.
        let pause = now.nanoseconds.subtractingReportingOverflow(lastTrack.load(ordering: .acquiring))
        return !pause.overflow && pause.partialValue > sessionTimeout.load(ordering: .relaxed)
    }
}

/// An identity shared by all events tracked under it.
///
/// Adding it to an event costs one reference.
package final class FrozenIdentity: Sendable {
    package let identity: Identity

    init(_ identity: Identity) {
        self.identity = identity
    }
}

/// A user with the hash of the id, which is computed before any lock is taken.
package struct KnownUser: Sendable {
    /// The id that is sent unchanged.
    let id: String?
    /// The sensitive id.
    let sensitive: SensitiveParameter?
    let hash: UserHash

    /// Creates a user by an id that is sent unchanged, or returns `nil` if the id is too long.
    package init?(_ id: String) {
        guard Identity.isUsable(id) else { return nil }
        (self.id, sensitive, hash) = (id, nil, UserHash(userID: id))
    }

    /// Creates a user by a sensitive id, or returns `nil` if the id is too long.
    package init?(_ sensitive: SensitiveParameter) {
        let text = sensitive.text
        guard text.map(Identity.isUsable) ?? true else { return nil }
        (id, self.sensitive, hash) = (nil, sensitive, text.map(UserHash.init(userID:)) ?? .nobody)
    }
}

extension Identity {
    /// The maximum size of an id in bytes.
    static let maximumIDBytes = 4_096

    /// Whether an id is short enough to be used.
    static func isUsable(_ id: String) -> Bool { id.utf8.count <= maximumIDBytes }

    /// Sets the user, or removes it.
    package mutating func setUser(_ user: KnownUser?) {
        (userID, sensitiveUser, userHash) = (user?.id, user?.sensitive, user?.hash ?? .nobody)
    }

    /// Returns a new installation id: 128 random bits as hexadecimal digits.
    ///
    /// - Parameter random: The source of randomness.
    package static func makeDeviceID(using random: inout some RandomNumberGenerator) -> String {
        random.next().hexadecimal + random.next().hexadecimal
    }

    /// Whether a user's id looks like an e-mail address, possibly escaped for a URL.
    static func looksLikeAddress(_ userID: String) -> Bool {
        let text = userID.replacing("%40", with: "@").utf8
        guard let at = text.lastIndex(of: UInt8(ascii: "@")), at > text.startIndex else { return false }
        let domain = text[text.index(after: at)...]
        return domain.contains(UInt8(ascii: ".")) && domain.first != UInt8(ascii: ".")
    }

    /// Starts a session with the next event.
    mutating func startSession(id: String, at time: Timestamp) {
        sessionID = id
        sessionStart = time
    }
}
