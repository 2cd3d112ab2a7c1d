public import EventDelivery

extension Identity {
    /// Returns an identity for tests.
    ///
    /// - Parameters:
    ///   - deviceID: The id of the installation.
    ///   - userID: The id of the user, if any.
    ///   - sessionID: The id of the session.
    ///   - sessionStart: The start of the session. The default is 10:00 on 1 March 2026 UTC.
    /// - Returns: The identity.
    public static func stub(
        deviceID: String = "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        userID: String? = nil,
        sessionID: String = "s-1",
        sessionStart: Timestamp = Timestamp(microseconds: 1_772_359_200_000_000)
    ) -> Identity {
        Identity(deviceID: deviceID, userID: userID, sessionID: sessionID, sessionStart: sessionStart)
    }
}
