public import EventDelivery

extension Identity {
    /// An identity for tests: a device, no user, a session that began at 10:00 on 1 March 2026 UTC.
    public static func stub(
        deviceID: String = "0f1e2d3c4b5a69788796a5b4c3d2e1f0",
        userID: String? = nil,
        sessionID: String = "s-1",
        sessionStart: Timestamp = Timestamp(microseconds: 1_772_359_200_000_000)
    ) -> Identity {
        Identity(deviceID: deviceID, userID: userID, sessionID: sessionID, sessionStart: sessionStart)
    }
}
