package import CoreTracker

/// The user, installation and session of an event, fixed at the moment of tracking.
public struct Identity: Sendable, Equatable {
    /// The device's id: the installation's, which has 32 hexadecimal digits unless the app supplies it, or that of a
    /// scope's device.
    ///
    /// A reset replaces the installation's id.
    public var deviceID: String
    /// Whether the device's id is a hash of a scope's user or session, because the scope has no device.
    ///
    /// It identifies no device, so a destination should not send it as one beside the user.
    public package(set) var isDeviceDerived = false
    /// Whether the device's id is a scope's, so the event does not belong to the installation.
    package var isDeviceOfScope = false
    /// The app's id for the signed-in user.
    ///
    /// `nil` if there is none, or if the id is sensitive.
    public var userID: String?
    /// The sensitive id of the signed-in user.
    ///
    /// The policy decides the form for each service.
    package var sensitiveUser: SensitiveParameter?
    /// A hash by which an erasure finds the user's stored events.
    package var userHash = UserHash.nobody
    /// The session of the event, or an empty text if the event belongs to no session.
    ///
    /// Events keep their order within one session.
    public var sessionID: String
    /// The start of the session.
    public var sessionStart: Timestamp
    /// A positive number of the session, for services that identify sessions by numbers, or 0 before the first visit.
    ///
    /// It is the session's start in seconds, or the next number if an earlier session of the installation has that one.
    /// In a scope with a session's id, it is a hash of the id.
    package var sessionNumber: Int64

    /// Creates an identity.
    ///
    /// - Parameters:
    ///   - deviceID: The installation's id.
    ///   - userID: The app's id for the signed-in user, if any.
    ///   - sessionID: The session's id.
    ///   - sessionStart: The start of the session.
    public init(deviceID: String, userID: String? = nil, sessionID: String, sessionStart: Timestamp) {
        self.deviceID = deviceID
        self.userID = userID
        self.sessionID = sessionID
        self.sessionStart = sessionStart
        sessionNumber = max(1, sessionStart.seconds)
    }
}

/// An identity shared by all events tracked under it.
///
/// Adding it to an event costs one reference.
package final class FrozenIdentity: Sendable {
    package let identity: Identity

    package init(_ identity: Identity) {
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
    package static let maximumIDBytes = 4_096

    /// Whether an id is short enough to be used.
    static func isUsable(_ id: String) -> Bool { id.utf8.count <= maximumIDBytes }

    /// Sets the user, or removes it.
    package mutating func setUser(_ user: KnownUser?) {
        (userID, sensitiveUser, userHash) = (user?.id, user?.sensitive, user?.hash ?? .nobody)
    }

    /// Whether a user's id looks like an e-mail address, possibly escaped for a URL.
    static func looksLikeAddress(_ userID: String) -> Bool {
        let text = userID.replacing("%40", with: "@").utf8
        guard let at = text.lastIndex(of: UInt8(ascii: "@")), at > text.startIndex else { return false }
        let domain = text[text.index(after: at)...]
        return domain.contains(UInt8(ascii: ".")) && domain.first != UInt8(ascii: ".")
    }

    /// Whether the installation or the session was perhaps unknown at the time of the event.
    package var isIncomplete: Bool { deviceID.isEmpty || isDeviceOfScope || sessionNumber == 0 }

    /// Sets the device of a scope.
    ///
    /// - Parameters:
    ///   - id: The device's id.
    ///   - isDerived: Whether it is a hash of the user or the session.
    mutating func setScopeDevice(_ id: String, isDerived: Bool) {
        (deviceID, isDeviceDerived, isDeviceOfScope) = (id, isDerived, true)
    }

    /// Returns the id that stands for the device of a scope: 32 hexadecimal digits, the same in each process.
    ///
    /// - Parameters:
    ///   - user: The user's id, if any.
    ///   - session: The session's id, which counts if there is no user.
    /// - Returns: A hash, or `nil` if there is neither.
    static func derivedDeviceID(ofUser user: String?, session: String?) -> String? {
        let text = user.flatMap { $0.isEmpty ? nil : "user " + $0 } ?? session.map { "session " + $0 }
        guard let text else { return nil }
        return SHA256.digest(of: Array(text.utf8)).prefix(16).map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }
            .joined()
    }

    /// Sets the session.
    ///
    /// - Parameters:
    ///   - id: The session's id.
    ///   - time: The start of the session.
    ///   - number: The session's number.
    mutating func setSession(id: String, at time: Timestamp, number: Int64) {
        (sessionID, sessionStart, sessionNumber) = (id, time, number)
    }
}
