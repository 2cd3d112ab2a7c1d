public import EventDelivery

extension EventRules {
    /// The rules of the Apple Firebase SDK, which drops or defaces what breaks them and tells nobody.
    ///
    /// They are those of an app stream, except that the SDK takes 27 custom parameters in an item and makes no
    /// exception for the texts of pages. The keys `event_id` and `event_time_ms` are this module's own.
    public static let firebaseSDK = {
        var rules = appStream
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
