import MeasurementProtocol
public import VendorRules

extension EventRules {
    /// The limits and reserved names of the GA4 Measurement Protocol for an app stream.
    ///
    /// Source: Google's reference, sending guide and collection limits, as of 2026. If two of them differ, the stricter
    /// value is used. `FirebaseRule` has the further rules of the wire format.
    public static let appStream = {
        var rules = measurementProtocol
        rules.key.reserved.formUnion(["app_session", "event_id"])
        return rules
    }()

    /// The rules for an app stream of an Analytics 360 property, which allows texts of 500 characters.
    public static let appStream360 = appStream.analytics360

    /// The rules of the Firebase SDK for Apple's platforms.
    ///
    /// The SDK drops or changes invalid values without an error.
    ///
    /// They are the rules of an app stream with these differences: an item has up to 27 custom parameters, and long
    /// page texts are not allowed. This module reserves the keys `event_id` and `event_time_ms`.
    public static let firebaseSDK = googleSDK
}
