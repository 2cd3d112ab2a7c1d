public import CoreTracker

extension EventCatalog {
    /// The catalog of the events of Starfield's screens.
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
    /// The team that owns the events of this module.
    static let sfTracker: EventOwner = "Starfield platform"
}
