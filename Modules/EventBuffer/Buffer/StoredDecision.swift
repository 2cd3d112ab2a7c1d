/// The stored decision of the user about one purpose.
package struct StoredDecision: Sendable, Equatable {
    /// The purpose's name.
    package var purpose: String
    /// `granted`, `denied` or `unknown`.
    package var consent: String
    /// The decision's number among those about its purpose; of two the greater one holds.
    package var number: UInt64
    /// Whether something that was stored for the purpose is still to be deleted.
    package var owesPurge: Bool
    /// The number of the last denial up to this decision; 0 if there was none.
    package var denial: UInt64

    package init(purpose: String, consent: String, number: UInt64, owesPurge: Bool, denial: UInt64? = nil) {
        self.purpose = purpose
        self.consent = consent
        self.number = number
        self.owesPurge = owesPurge
        self.denial = denial ?? (consent == "denied" ? number : 0)
    }
}

/// A request to erase the events of a user, or of all users.
package struct Erasure: Sendable, Equatable {
    /// Whose events; `nil` for everything of everybody.
    package var user: UserMark?
    /// The last event that had been tracked; later ones stay.
    package var last: EventID
    /// The number among all erasures of the directory; 0 for one that is not stored.
    package var number: UInt64
    /// Whether something is still to be deleted.
    package var isOwed: Bool

    package init(user: UserMark?, last: EventID, number: UInt64 = 0, isOwed: Bool = true) {
        self.user = user
        self.last = last
        self.number = number
        self.isOwed = isOwed
    }

    /// Whether what a pack holds is to be erased, up to the last event; what has no mark may be anybody's.
    package func concerns(_ mark: UserMark?) -> Bool { user == nil || mark == nil || mark == user }
}
