import EventDelivery

/// The parameters that tell Google an event's session: a positive number, and the id itself where it is none.
struct SessionParameters {
    private let identity: Identity
    private let isNumber: Bool
    private let maximumLength: Int

    init(_ identity: Identity, maximumLength: Int) {
        self.identity = identity
        self.maximumLength = maximumLength
        isNumber = identity.sessionID.isPositiveWholeNumber
    }

    /// How many of the event's parameters they are.
    var count: Int { isNumber || identity.sessionID.isEmpty ? 1 : 2 }

    /// Writes `session_id`, unless the event has set it, and `app_session`.
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
            return encoder.repaired(.identifierTooLong)
        }
        encoder.json.key(fixed: "app_session")
        encoder.json.string(identity.sessionID)
    }
}
