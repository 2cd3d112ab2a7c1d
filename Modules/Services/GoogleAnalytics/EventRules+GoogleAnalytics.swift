import MeasurementProtocol
public import VendorRules

extension EventRules {
    /// The rules for events of a web stream (GA4 Measurement Protocol, "limitations" and "reserved names").
    ///
    /// Google's support page (https://support.google.com/analytics/answer/13316687) reserves
    /// `app_store_subscription_cancel`, `app_store_subscription_renew` and the prefix `query_id` for the web, and the
    /// protocol's reference does not. The stricter value is used. The page also lists names that Google's tag collects,
    /// such as `page_view`; the protocol's reference allows them.
    public static let webStream = {
        var rules = measurementProtocol
        // These names are reserved on app streams only.
        rules.name.reserved.subtract([
            "app_background", "app_store_subscription_convert", "session_start_with_rollout",
        ])
        // These names are allowed on app streams only.
        rules.name.reserved.formUnion(["ad_impression", "in_app_purchase", "screen_view"])
        rules.name.reservedPrefixes.append("query_id")
        rules.key.reserved.insert("event_id")
        return rules
    }()

    /// The rules for a web stream of an Analytics 360 property, which allows texts of 500 characters.
    public static let webStream360 = webStream.analytics360

    /// The rules of the Google Analytics SDK in an app.
    ///
    /// The SDK drops or changes invalid values without an error.
    ///
    /// They are the rules of a web stream with these differences: the reserved names are those of an app stream, an
    /// item has up to 27 custom parameters, long page texts are not allowed, and the SDK adds the session. This module
    /// reserves the keys `event_id` and `event_time_ms`.
    public static let googleAnalyticsSDK = googleSDK
}
