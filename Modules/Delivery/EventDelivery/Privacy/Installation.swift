import EventDeliveryAPI

/// The installation's id, which is stored unless the user denies all purposes of the destinations.
///
/// The identity of the event buffer has the current id. This type keeps the id of events tracked before the directory
/// was opened.
struct Installation {
    /// The id of all events tracked before the opening, even if a reset followed.
    private(set) var opened = ""
    private let makeID: () -> String

    init(makeID: @escaping () -> String) {
        self.makeID = makeID
    }

    /// Uses the stored id, or creates one if there is none.
    mutating func restore(_ stored: String?) {
        opened = stored ?? (opened.isEmpty ? makeID() : opened)
    }

    /// Returns the id of an identity.
    func current(_ identity: Identity) -> String { identity.deviceID.isEmpty ? opened : identity.deviceID }

    /// Forgets the id.
    ///
    /// If a reset happened since the opening, events from before and after it get different ids.
    ///
    /// - Returns: The new id.
    mutating func forget(_ identity: Identity) -> String {
        let isReset = current(identity) != opened
        let id = makeID()
        opened = isReset ? makeID() : id
        return id
    }
}
