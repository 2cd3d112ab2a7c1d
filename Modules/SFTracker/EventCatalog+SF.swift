public import CoreTracker

extension EventCatalog {
    /// The events of Starfield's screens.
    public static let sfTracker = EventCatalog(
        "SFTracker",
        product: "SF",
        events: [
            SFNavigated.self,
            SFTapped.self,
        ]
    )
}

extension EventOwner {
    /// Who answers for the events of this module.
    static let sfTracker: EventOwner = "Starfield platform"
}
