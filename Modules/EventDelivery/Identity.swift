/// Who an event belongs to: frozen into the event at the moment of tracking and never looked up again.
public struct Identity: Sendable, Hashable {
    /// The installation: 32 hexadecimal digits, made anew by a reset.
    public var deviceID: String
    /// The signed-in user, as the app names them.
    public var userID: String?
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
