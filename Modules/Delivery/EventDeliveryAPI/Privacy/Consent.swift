/// The user's decision about a purpose.
public enum Consent: String, Sendable, Hashable, CaseIterable {
    /// No decision yet. Events are kept, up to the budget's `eventsAwaitingConsent`, and none is sent.
    case unknown
    /// The user agreed. Events are sent, and the kept events are sent in their order and with their original times.
    case granted
    /// The user refused. New events are dropped and counted, and earlier events are counted and deleted.
    case denied
}

/// A use of data that the user can agree to or refuse, such as analytics or marketing.
///
/// An app can define more purposes, such as `ConsentPurpose("ads")`.
public struct ConsentPurpose: Sendable, Hashable {
    /// The purpose's name.
    public let name: String

    /// Creates a purpose.
    ///
    /// - Parameter name: The purpose's name, under which decisions are stored.
    public init(_ name: String) {
        self.name = name
    }

    /// Measurement of how the product is used.
    public static let analytics = ConsentPurpose("analytics")
    /// Campaigns addressed to the user.
    public static let marketing = ConsentPurpose("marketing")
}
