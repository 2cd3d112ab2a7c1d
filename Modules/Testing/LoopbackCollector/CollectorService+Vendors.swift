extension CollectorService {
    /// Braze's `/users/track`.
    ///
    /// The event's id is the property `event_uid`.
    public static let braze = CollectorService(
        "braze",
        layout: .lists(["events"]),
        id: ["properties", "event_uid"],
        eventName: ["name"],
        matches: { $0.path.hasSuffix("/users/track") }
    )

    /// Adobe's Edge Network.
    ///
    /// The event's id is its `_id`.
    public static let adobe = CollectorService(
        "adobe",
        layout: .lists(["events"]),
        id: ["xdm", "_id"],
        eventName: ["xdm", "eventType"],
        matches: { $0.path.hasSuffix("/collect") && $0.query["datastreamId"] != nil }
    )

    /// A web stream of Google Analytics.
    ///
    /// Its query distinguishes it from ``firebase``. Its events have no id.
    public static let googleAnalytics = CollectorService(
        "googleAnalytics",
        layout: .lists(["events"]),
        id: ["params", "event_id"],
        eventName: ["name"],
        matches: { $0.path.hasSuffix("/mp/collect") && $0.query["measurement_id"] != nil }
    )

    /// An HTTP source of Sumo Logic.
    ///
    /// The event's id is the field `event_uid` of a line.
    public static let sumo = CollectorService(
        "sumo",
        layout: .lines,
        id: ["event_uid"],
        eventName: ["event"],
        matches: { $0.path.contains("/receiver/v1/http/") }
    )
}
