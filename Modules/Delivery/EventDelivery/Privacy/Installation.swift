import EventDeliveryAPI

/// The installation's id, which is stored only while the user agrees to some purpose.
///
/// The identity of the event buffer has the current id. This type keeps the id of events tracked before the directory
/// was opened.
struct Installation {
    /// The id of all events tracked before the opening, even if a reset followed.
    private(set) var opened = ""
    /// Whether the id replaced a forgotten one, and the user has not agreed to a purpose since.
    private var isForgotten = false
    private let makeID: () -> String

    init(makeID: @escaping () -> String) {
        self.makeID = makeID
    }

    /// Uses the stored id, or creates one if there is none.
    mutating func restore(_ stored: String?) {
        opened = stored ?? (opened.isEmpty ? makeID() : opened)
    }

    /// Returns the id of an identity.
    private func current(_ identity: Identity) -> String { identity.deviceID.isEmpty ? opened : identity.deviceID }

    /// Returns the id to store: the identity's id if the user agrees to some purpose, or `nil`.
    func stored(_ identity: Identity, isGranted: Bool) -> String? { isGranted ? current(identity) : nil }

    /// Forgets the id if the user denies a purpose and agrees to none.
    ///
    /// If a reset happened since the opening, events from before and after it get different ids.
    ///
    /// - Returns: The new id, or `nil` if the id stays.
    mutating func update(_ identity: Identity, isGranted: Bool, isDenied: Bool) -> String? {
        guard !isGranted, isDenied, !isForgotten else {
            if isGranted { isForgotten = false }
            return nil
        }
        isForgotten = true
        let isReset = current(identity) != opened
        let id = makeID()
        opened = isReset ? makeID() : id
        return id
    }
}
