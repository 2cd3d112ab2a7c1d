public import CoreTracker
public import EventDelivery

/// Google Analytics by its SDK, for an app that links it: the lane ends in a ``GoogleEventLogger``.
///
/// The SDK stamps an event with the time of the call, so that the event's own id and time travel as `event_id` and
/// `event_time_ms`.
public struct GoogleAnalyticsSDKDestination: SDKDestination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let rules: EventRules
    private let logger: any GoogleEventLogger

    /// Creates the destination of a product, by the product's prefix such as `DL`.
    ///
    /// Of the parameters that the rules allow, two are kept for the event's id and time.
    public init(
        product: String,
        logger: any GoogleEventLogger,
        rules: EventRules = .googleAnalyticsSDK,
        purpose: ConsentPurpose = .analytics
    ) {
        lane = .googleAnalytics(product: product)
        self.logger = logger
        var rules = rules
        rules.maximumParameters -= 2
        self.rules = rules
        self.purpose = purpose
    }

    public func handOver(_ event: SDKEvent) async throws(SDKRefusal) {
        try await logger.logEvent(event.name, parameters: event.stampedParameters, userID: event.userID)
    }
}

extension EventRules {
    /// The rules of an app's Google Analytics SDK, which drops or defaces what breaks them and tells nobody.
    ///
    /// They are those of a web stream, but for the names that an app stream reserves, and except that the SDK takes 27
    /// custom parameters in an item, makes no exception for the texts of pages, and fills in the session by itself. The
    /// keys `event_id` and `event_time_ms` are this module's own.
    public static let googleAnalyticsSDK = {
        var rules = webStream
        rules.name.reserved.subtract(["ad_impression", "in_app_purchase", "screen_view"])
        rules.name.reserved.formUnion([
            "app_background", "app_store_subscription_cancel", "app_store_subscription_convert",
            "app_store_subscription_renew", "session_start_with_rollout",
        ])
        rules.key.reserved = ["event_id", "event_time_ms", "firebase_conversion"]
        rules.textLengths = [:]
        rules.automaticKeys = []
        if case .lists(var lists) = rules.nesting {
            lists["items"]?.maximumOtherKeys = 27
            rules.nesting = .lists(lists)
        }
        return rules
    }()
}
