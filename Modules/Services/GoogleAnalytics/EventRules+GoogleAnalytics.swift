import CoreTracker
public import EventDelivery

extension EventRules {
    /// The rules for events of a web stream (GA4 Measurement Protocol, "limitations" and "reserved names").
    public static let webStream = EventRules(
        name: NameRule(
            maximumLength: 40,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: [
                "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure",
                "app_clear_data", "app_exception", "app_install", "app_remove", "app_store_refund", "app_update",
                "app_upgrade", "dynamic_link_app_open", "dynamic_link_app_update", "dynamic_link_first_open", "error",
                "firebase_campaign", "firebase_in_app_message_action", "firebase_in_app_message_dismiss",
                "firebase_in_app_message_impression", "first_open", "first_visit", "notification_dismiss",
                "notification_foreground", "notification_open", "notification_receive", "notification_send",
                "os_update", "session_start", "user_engagement",
                // Allowed on app streams only.
                "ad_impression", "in_app_purchase", "screen_view",
            ],
            reservedPrefixes: ["_", "firebase_", "google_", "ga_"]
        ),
        key: NameRule(
            maximumLength: 40,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: ["firebase_conversion"],
            reservedPrefixes: ["_", "firebase_", "ga_", "google_", "gtag."]
        ),
        maximumParameters: 25,
        maximumStringLength: 100,
        maximumStringLengths: ["page_title": 300, "page_referrer": 420, "page_location": 1000],
        nonEmptyKeys: ["transaction_id"],
        nesting: .lists(["items": items]),
        sendsBooleansAsNumbers: true,
        automaticKeys: ["session_id", "engagement_time_msec"]
    )

    /// The rules of the Google Analytics SDK in an app.
    ///
    /// The SDK drops or changes invalid values without an error.
    ///
    /// They are the rules of a web stream with these differences: the reserved names are those of an app stream, an
    /// item has up to 27 custom parameters, long page texts are not allowed, and the SDK adds the session. This module
    /// reserves the keys `event_id` and `event_time_ms`.
    public static let googleAnalyticsSDK = {
        var rules = webStream
        rules.name.reserved.subtract(["ad_impression", "in_app_purchase", "screen_view"])
        rules.name.reserved.formUnion([
            "app_background", "app_store_subscription_cancel", "app_store_subscription_convert",
            "app_store_subscription_renew", "session_start_with_rollout",
        ])
        rules.key.reserved = ["event_id", "event_time_ms", "firebase_conversion"]
        rules.maximumStringLengths = [:]
        rules.automaticKeys = []
        if case .lists(var lists) = rules.nesting {
            lists["items"]?.maximumOtherKeys = 27
            rules.nesting = .lists(lists)
        }
        return rules
    }()

    private static let items = ListRule(
        maximumElements: 200,
        knownKeys: itemKeys,
        maximumOtherKeys: 10,
        identifyingKeys: ["item_id", "item_name"]
    )

    private static let itemKeys: Set<String> = [
        "affiliation", "coupon", "creative_name", "creative_slot", "currency", "discount", "index", "item_brand",
        "item_category", "item_category2", "item_category3", "item_category4", "item_category5", "item_id",
        "item_list_id", "item_list_name", "item_name", "item_variant", "location_id", "price", "promotion_id",
        "promotion_name", "quantity",
    ]
}
