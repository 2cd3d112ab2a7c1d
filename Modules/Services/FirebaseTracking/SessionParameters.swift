import EventDelivery

/// The parameters that identify an event's session to Google.
///
/// `session_id` is a positive number. If the session ID is not one, it is the start of the session in seconds, and
/// `app_session` contains the ID, if any.
struct SessionParameters {
    private let identity: Identity
    private let isNumber: Bool
    private let maximumLength: Int

    init(_ identity: Identity, maximumLength: Int) {
        self.identity = identity
        self.maximumLength = maximumLength
        isNumber = identity.sessionID.isPositiveWholeNumber
    }

    /// The number of parameters.
    var count: Int { isNumber || identity.sessionID.isEmpty ? 1 : 2 }

    /// Writes the parameters.
    ///
    /// - Parameters:
    ///   - withNumber: Whether to write `session_id`. It is false if the event sets that parameter itself.
    ///   - encoder: Receives the JSON.
    func write(withNumber: Bool, into encoder: inout EventEncoder) {
        if withNumber {
            encoder.json.key(fixed: "session_id")
            if isNumber {
                encoder.json.raw(identity.sessionID.utf8)
            } else {
                encoder.json.int(max(1, identity.sessionStart.seconds))
            }
        }
        guard count == 2 else { return }
        guard identity.sessionID.utf8.count <= maximumLength || identity.sessionID.utf16.count <= maximumLength else {
            return encoder.recordAdjustment(.identifierTooLong)
        }
        encoder.json.key(fixed: "app_session")
        encoder.json.string(identity.sessionID)
    }
}
