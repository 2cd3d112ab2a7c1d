public import EventDelivery

extension EventRules {
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
}
