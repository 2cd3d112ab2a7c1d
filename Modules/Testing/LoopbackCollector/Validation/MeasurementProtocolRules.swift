/// The names and limits from the documentation of the Measurement Protocol.
enum MeasurementProtocolRules {
    /// The event names that only SDKs may use.
    static let reservedEvents: Set<String> = [
        "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure", "app_clear_data",
        "app_exception", "app_install", "app_remove", "app_store_refund", "app_update", "app_upgrade",
        "dynamic_link_app_open", "dynamic_link_app_update", "dynamic_link_first_open", "error", "firebase_campaign",
        "firebase_in_app_message_action", "firebase_in_app_message_dismiss", "firebase_in_app_message_impression",
        "first_open", "first_visit", "notification_dismiss", "notification_foreground", "notification_open",
        "notification_receive", "notification_send", "os_update", "session_start", "user_engagement",
    ]

    /// The reserved names of user properties.
    static let reservedProperties: Set<String> = [
        "first_open_after_install", "first_open_time", "first_visit_time", "last_deep_link_referrer", "user_id",
    ]

    /// The maximum lengths of parameters whose limit is not 100.
    static let maximumStringLengths = ["page_title": 300, "page_referrer": 420, "page_location": 1000]

    /// The required parameters of events.
    ///
    /// Value and currency are not listed, because an event without them is only missing in revenue reports.
    static let required: [String: [String]] = [
        "add_payment_info": ["items"], "add_shipping_info": ["items"], "add_to_cart": ["items"],
        "add_to_wishlist": ["items"], "begin_checkout": ["items"], "post_score": ["score"],
        "purchase": ["transaction_id", "items"], "refund": ["transaction_id"], "remove_from_cart": ["items"],
        "search": ["search_term"], "select_item": ["items"],
        "spend_virtual_currency": ["value", "virtual_currency_name"], "unlock_achievement": ["achievement_id"],
        "view_cart": ["items"], "view_item": ["items"], "view_item_list": ["items"], "view_promotion": ["items"],
    ]

    /// Returns whether the event's value is money.
    ///
    /// The value of a virtual currency is not.
    static func needsCurrency(_ event: String) -> Bool {
        !["earn_virtual_currency", "spend_virtual_currency"].contains(event)
    }

    /// The parameters of an item that are text.
    static let itemTexts: Set<String> = [
        "affiliation", "coupon", "creative_name", "creative_slot", "currency", "item_brand", "item_category",
        "item_category2", "item_category3", "item_category4", "item_category5", "item_id", "item_list_id",
        "item_list_name", "item_name", "item_variant", "location_id", "promotion_id", "promotion_name",
    ]

    /// The parameters of an item that are numbers.
    static let itemNumbers: Set<String> = ["discount", "index", "price", "quantity"]
}
