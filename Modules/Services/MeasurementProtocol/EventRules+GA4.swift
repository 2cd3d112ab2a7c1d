import CoreTracker
package import VendorRules

extension EventRules {
    /// The limits of the GA4 Measurement Protocol, and the reserved names of an app stream.
    ///
    /// Source: Google's reference, sending guide, limitations and collection limits, as of 2026. If two of them differ,
    /// the stricter value is used.
    package static let measurementProtocol = {
        var rules = events
        rules.userID = UserIDRule(maximumLength: 256)
        return rules
    }()

    private static let events = EventRules(
        name: NameRule(
            maximumLength: 40,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: [
                "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure",
                "app_background", "app_clear_data", "app_exception", "app_install", "app_remove", "app_store_refund",
                "app_store_subscription_cancel", "app_store_subscription_convert", "app_store_subscription_renew",
                "app_update", "app_upgrade", "dynamic_link_app_open", "dynamic_link_app_update",
                "dynamic_link_first_open", "error", "firebase_campaign", "firebase_in_app_message_action",
                "firebase_in_app_message_dismiss", "firebase_in_app_message_impression", "first_open", "first_visit",
                "notification_dismiss", "notification_foreground", "notification_open", "notification_receive",
                "notification_send", "os_update", "session_start", "session_start_with_rollout", "user_engagement",
            ],
            reservedPrefixes: ["_", "firebase_", "ga_", "google_"]
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
        nonEmptyKeys: ["transaction_id"],  // an empty ID would merge all purchases into one
        nesting: .lists(["items": items]),
        sendsBooleansAsNumbers: true,
        automaticKeys: ["session_id", "engagement_time_msec"]
    )

    /// The rules of Google's SDKs in an app, which drop or change invalid values without an error.
    ///
    /// They are ``measurementProtocol`` with these differences: an item has up to 27 custom parameters, long page texts
    /// are not allowed, and the SDK adds the session. The destinations reserve the keys `event_id` and `event_time_ms`.
    package static let googleSDK = {
        var rules = measurementProtocol
        rules.key.reserved.formUnion(["event_id", "event_time_ms"])
        rules.maximumStringLengths = [:]
        rules.automaticKeys = []
        if case .lists(var lists) = rules.nesting {
            lists["items"]?.maximumOtherKeys = 27
            rules.nesting = .lists(lists)
        }
        return rules
    }()

    /// These rules for an Analytics 360 property, which allows texts of 500 characters.
    package var analytics360: EventRules {
        var rules = self
        rules.maximumStringLength = 500
        rules.maximumStringLengths = maximumStringLengths.filter { $0.value > 500 }
        return rules
    }

    /// The protocol's own page allows 10 custom parameters per item; other pages allow 27.
    private static let items = ListRule(
        maximumElements: 200,
        knownKeys: [
            "affiliation", "coupon", "creative_name", "creative_slot", "currency", "discount", "index", "item_brand",
            "item_category", "item_category2", "item_category3", "item_category4", "item_category5", "item_id",
            "item_list_id", "item_list_name", "item_name", "item_variant", "location_id", "price", "promotion_id",
            "promotion_name", "quantity",
        ],
        maximumOtherKeys: 10,
        identifyingKeys: ["item_id", "item_name"]
    )
}
