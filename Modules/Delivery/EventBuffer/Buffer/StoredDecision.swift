/// The stored decision of the user about one purpose.
package struct StoredDecision: Sendable, Equatable {
    /// The purpose's name.
    package var purpose: String
    /// `granted`, `denied` or `unknown`.
    package var consent: String
    /// The decision's number among those about its purpose.
    ///
    /// The decision with the highest number is valid.
    package var number: UInt64
    /// Whether stored events of the purpose are still to be deleted.
    package var owesPurge: Bool
    /// The number of the latest denial up to this decision, or 0 if there was none.
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
    /// The user's hash, or `nil` for all users.
    package var user: UserHash?
    /// The last event tracked before the request.
    ///
    /// Later events are not erased.
    package var last: EventID
    /// The number among all erasures of the directory, or 0 if the erasure is not stored.
    package var number: UInt64
    /// Whether stored events are still to be deleted.
    package var isOwed: Bool

    package init(user: UserHash?, last: EventID, number: UInt64 = 0, isOwed: Bool = true) {
        self.user = user
        self.last = last
        self.number = number
        self.isOwed = isOwed
    }

    /// Whether the erasure covers the events of a segment, up to its last event.
    ///
    /// A segment without a hash may contain any user's events, and is covered by every erasure.
    ///
    /// - Parameter mark: The hash of the segment's user, or `nil` if an earlier version stored the segment.
    package func concerns(_ mark: UserHash?) -> Bool { user == nil || mark == nil || mark == user }
}
