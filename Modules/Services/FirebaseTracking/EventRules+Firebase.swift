import CoreTracker
public import EventDelivery

extension EventRules {
    /// The limits and reserved names of the GA4 Measurement Protocol for an app stream.
    ///
    /// Source: Google's reference, sending guide and collection limits, as of 2026. If two of them differ, the stricter
    /// value is used. `FirebaseRule` has the further rules of the wire format.
    public static let appStream = EventRules(
        name: NameRule(
            maximumLength: 40,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: eventNames,
            reservedPrefixes: ["_", "firebase_", "ga_", "google_"]
        ),
        key: NameRule(
            maximumLength: 40,
            alphabet: .asciiLettersDigitsUnderscores,
            reserved: ["app_session", "event_id", "firebase_conversion"],
            reservedPrefixes: ["_", "firebase_", "ga_", "google_", "gtag."]
        ),
        maximumParameters: 25,
        maximumStringLength: 100,
        maximumStringLengths: ["page_title": 300, "page_referrer": 420, "page_location": 1000],
        nonEmptyKeys: ["transaction_id"],  // an empty ID would merge all purchases into one
        nesting: .lists(["items": items]),
        sendsBooleansAsNumbers: true,
        automaticKeys: [.sessionID, .engagementTime]
    )

    /// The rules for an app stream of an Analytics 360 property, which allows texts of 500 characters.
    public static let appStream360 = {
        var rules = appStream
        rules.maximumStringLength = 500
        rules.maximumStringLengths["page_title"] = nil
        rules.maximumStringLengths["page_referrer"] = nil
        return rules
    }()

    /// The rules of the Firebase SDK for Apple's platforms.
    ///
    /// The SDK drops or changes invalid values without an error.
    ///
    /// They are the rules of an app stream with these differences: an item has up to 27 custom parameters, and long
    /// page texts are not allowed. This module reserves the keys `event_id` and `event_time_ms`.
    public static let firebaseSDK = {
        var rules = appStream
        rules.key.reserved = ["event_id", "event_time_ms", "firebase_conversion"]
        rules.maximumStringLengths = [:]
        rules.automaticKeys = []
        if case .lists(var lists) = rules.nesting {
            lists["items"]?.maximumOtherKeys = 27
            rules.nesting = .lists(lists)
        }
        return rules
    }()

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

    private static let eventNames: Set<String> = [
        "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure", "app_background",
        "app_clear_data", "app_exception", "app_install", "app_remove", "app_store_refund",
        "app_store_subscription_cancel", "app_store_subscription_convert", "app_store_subscription_renew",
        "app_update", "app_upgrade", "dynamic_link_app_open", "dynamic_link_app_update",
        "dynamic_link_first_open", "error", "firebase_campaign", "firebase_in_app_message_action",
        "firebase_in_app_message_dismiss", "firebase_in_app_message_impression", "first_open", "first_visit",
        "notification_dismiss", "notification_foreground", "notification_open", "notification_receive",
        "notification_send", "os_update", "session_start", "session_start_with_rollout", "user_engagement",
    ]
}
