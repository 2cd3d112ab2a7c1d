public import CoreTracker

/// The app was opened for the first time after its installation.
public struct AppFirstOpened: CoreTrackable {
    /// The version of the app.
    public let version: String

    /// Creates an event.
    ///
    /// - Parameter version: The version of the app, such as `2.4 (310)`.
    public init(version: String) {
        self.version = version
    }

    public var services: [EventService] {
        FirebaseEvent("app_first_opened", [.appVersion(version)])
        AwesomeTrackingEvent("app_first_opened", [.appVersion(version)])
    }
}

/// The app was opened for the first time after an update.
public struct AppUpdated: CoreTrackable {
    /// The version that ran before.
    public let previousVersion: String
    /// The version of the app.
    public let version: String

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - previousVersion: The version that ran before.
    ///   - version: The version of the app.
    public init(previousVersion: String, version: String) {
        self.previousVersion = previousVersion
        self.version = version
    }

    public var services: [EventService] {
        let versions: EventParameters = [.previousAppVersion(previousVersion), .appVersion(version)]
        FirebaseEvent("app_updated", versions)
        AwesomeTrackingEvent("app_updated", versions)
    }
}

/// The app became active, after a launch or a return from the background.
public struct AppOpened: CoreTrackable {
    /// Whether the app was launched, and did not return from the background.
    public let isLaunch: Bool

    /// Creates an event.
    ///
    /// - Parameter isLaunch: Whether the app was launched. It is `false` after a return from the background.
    public init(isLaunch: Bool) {
        self.isLaunch = isLaunch
    }

    public var services: [EventService] {
        FirebaseEvent("app_opened", [.isLaunch(isLaunch)])
        AwesomeTrackingEvent("app_opened", [.isLaunch(isLaunch)])
    }
}

/// The app left the foreground.
public struct AppBackgrounded: CoreTrackable {
    /// The time since the app was opened.
    public let duration: Duration

    /// Creates an event.
    ///
    /// - Parameter duration: The time since the app was opened. It is tracked in milliseconds.
    public init(duration: Duration) {
        self.duration = duration
    }

    public var services: [EventService] {
        // On watchOS, `Int` may have only 32 bits.
        let milliseconds = Int(clamping: Int64(min(max(0, duration / .milliseconds(1)), 1e15)))
        FirebaseEvent("app_backgrounded", [.openDuration(milliseconds)])
        AwesomeTrackingEvent("app_backgrounded", [.openDuration(milliseconds)])
    }
}

/// The app was opened by a link.
public struct DeepLinkOpened: CoreTrackable {
    /// The link without its user name, password, query and fragment, which can contain personal data.
    public let link: String
    /// The campaign of the link, if the app reads it.
    public let campaign: Campaign?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - link: The link. Its user name, password, query and fragment are removed.
    ///   - campaign: The campaign of the link, such as `Campaign(link: link)`. Firebase gets it as a second event,
    ///     `campaign_details`, and the in-house service as parameters.
    public init(link: String, campaign: Campaign? = nil) {
        self.campaign = campaign
        // By scalars, because a combining mark would hide the separator before it.
        let scalars = link.unicodeScalars.prefix { $0 != "?" && $0 != "#" }
        self.link = String(DeepLinkOpened.removingUser(from: scalars))
    }

    /// Returns a link without the user name and the password, which precede the host's name.
    private static func removingUser(from link: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView {
        guard let start = authority(of: link) else { return link }
        let end = link[start...].firstIndex(where: isSlash) ?? link.endIndex
        guard let separator = link[start..<end].lastIndex(of: "@") else { return link }
        return link[..<start] + link[link.index(after: separator)...]
    }

    /// Returns the start of the user name or the host's name, or `nil` if a link has neither.
    ///
    /// Browsers accept any number of slashes and backslashes before it, and also none after `http:` and `https:`.
    private static func authority(of link: Substring.UnicodeScalarView) -> String.Index? {
        if let colon = link.firstIndex(of: ":"), ["http", "https"].contains(String(link[..<colon]).lowercased()) {
            return link[link.index(after: colon)...].firstIndex { !isSlash($0) }
        }
        guard let slash = link.firstIndex(where: isSlash),
            slash == link.startIndex || link[link.index(before: slash)] == ":"
        else { return nil }
        return link[slash...].firstIndex { !isSlash($0) }
    }

    private static func isSlash(_ scalar: Unicode.Scalar) -> Bool { scalar == "/" || scalar == "\\" }

    public var services: [EventService] {
        FirebaseEvent("deep_link_opened", [.link(link)])
        AwesomeTrackingEvent("deep_link_opened", (campaign?.parameters ?? []).merging([.link(link)]))
        if let campaign {
            // https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference/events#campaign_details
            FirebaseEvent("campaign_details", campaign.parameters)
        }
    }
}

/// The app was opened by a push notification.
public struct PushOpened: CoreTrackable {
    /// The campaign that sent the notification, if any.
    public let campaignID: String?

    /// Creates an event.
    ///
    /// - Parameter campaignID: The campaign that sent the notification, if any.
    public init(campaignID: String? = nil) {
        self.campaignID = campaignID
    }

    public var services: [EventService] {
        FirebaseEvent("push_opened", [.campaignID(campaignID)])
        AwesomeTrackingEvent("push_opened", [.campaignID(campaignID)])
    }
}

/// A screen appeared.
///
/// ```swift
/// ContentView().tracks(screen: ScreenViewed("basket"))
/// ```
public struct ScreenViewed: CoreTrackable {
    /// The screen's name.
    public let screen: String

    /// Creates an event.
    ///
    /// - Parameter screen: The screen's name, which does not depend on the language.
    public init(_ screen: String) {
        self.screen = screen
    }

    public var services: [EventService] {
        FirebaseEvent("screen_view", [.screenName(screen)])
        AwesomeTrackingEvent("screen_viewed", [.screenName(screen)])
    }
}

/// The parameter keys of the life-cycle events.
extension EventParameter {
    /// The version of the app.
    static let appVersion = Key<String>("app_version")
    /// The version that ran before an update.
    static let previousAppVersion = Key<String>("previous_app_version")
    /// Whether the app was launched, and did not return from the background.
    static let isLaunch = Key<Bool>("is_launch")
    /// The time in the foreground, in milliseconds.
    static let openDuration = Key<Int>("open_duration_ms")
    /// A link without its query and fragment.
    static let link = Key<String>("link")
    /// The campaign that sent a notification, or that a link names.
    static let campaignID = Key<String>("campaign_id")
    /// The screen's name.
    static let screenName = Key<String>("screen_name")
}

extension EventCatalog {
    /// Returns the catalog of the life-cycle events that a product tracks.
    ///
    /// - Parameter product: The prefix of the product whose tracker receives the events, such as `DL`.
    /// - Returns: The catalog, for the product's tracking plan.
    public static func lifecycle(of product: String) -> EventCatalog {
        EventCatalog(
            "AppTracking",
            product: product,
            events: [
                AppFirstOpened.self,
                AppUpdated.self,
                AppOpened.self,
                AppBackgrounded.self,
                DeepLinkOpened.self,
                PushOpened.self,
                ScreenViewed.self,
            ]
        )
    }
}

extension EventOwner {
    /// The team that owns the life-cycle events.
    static let appPlatform: EventOwner = "App platform"
}

extension AppFirstOpened: PlannedEvent {
    public static var plan: EventPlan<AppFirstOpened> {
        EventPlan(
            "App first opened",
            owner: .appPlatform,
            purpose: "How many installations are used.",
            introduced: "1.0",
            examples: [AppFirstOpened(version: "2.4 (310)")]
        )
    }
}

extension AppUpdated: PlannedEvent {
    public static var plan: EventPlan<AppUpdated> {
        EventPlan(
            "App updated",
            owner: .appPlatform,
            purpose: "How fast users move to a release.",
            introduced: "1.0",
            examples: [AppUpdated(previousVersion: "2.3 (298)", version: "2.4 (310)")]
        )
    }
}

extension AppOpened: PlannedEvent {
    public static var plan: EventPlan<AppOpened> {
        EventPlan(
            "App opened",
            owner: .appPlatform,
            purpose: "How often the app is used.",
            introduced: "1.0",
            examples: [AppOpened(isLaunch: true), AppOpened(isLaunch: false)]
        )
    }
}

extension AppBackgrounded: PlannedEvent {
    public static var plan: EventPlan<AppBackgrounded> {
        EventPlan(
            "App backgrounded",
            owner: .appPlatform,
            purpose: "How long the app is used.",
            introduced: "1.0",
            examples: [AppBackgrounded(duration: .seconds(95))]
        )
    }
}

extension DeepLinkOpened: PlannedEvent {
    public static var plan: EventPlan<DeepLinkOpened> {
        EventPlan(
            "Deep link opened",
            owner: .appPlatform,
            purpose: "Which links bring users into the app.",
            introduced: "1.0",
            examples: [
                DeepLinkOpened(link: "https://shop.example/p/7"),
                DeepLinkOpened(
                    link: "https://shop.example/p/7",
                    campaign: Campaign(link: "?utm_source=newsletter&utm_medium=email&utm_campaign=spring&utm_id=7")
                ),
            ]
        )
    }
}

extension PushOpened: PlannedEvent {
    public static var plan: EventPlan<PushOpened> {
        EventPlan(
            "Push opened",
            owner: .appPlatform,
            purpose: "Which campaigns bring users into the app.",
            introduced: "1.0",
            examples: [PushOpened(campaignID: "spring"), PushOpened()]
        )
    }
}

extension ScreenViewed: PlannedEvent {
    public static var plan: EventPlan<ScreenViewed> {
        EventPlan(
            "Screen viewed",
            owner: .appPlatform,
            purpose: "Which screens users see.",
            introduced: "1.0",
            examples: [ScreenViewed("basket")]
        )
    }
}
