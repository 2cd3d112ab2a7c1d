import EventDeliveryAPI

/// The installation's id, which is stored unless the user denies all purposes of the destinations.
///
/// The identity of the event buffer has the current id. This type keeps the id of events tracked before the directory
/// was opened.
struct Installation {
    /// The id of all events tracked before the opening, even if a reset followed.
    private(set) var opened = ""
    let makeID: () -> String

    /// Uses the stored id, else the configuration's, or creates one.
    mutating func restore(_ stored: String?, else given: String? = nil) {
        opened = stored ?? (opened.isEmpty ? given ?? makeID() : opened)
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
