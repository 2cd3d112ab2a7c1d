import EventDelivery
import FirebaseTracking
import Testing

@Suite struct EventRulesFirebaseSDKTests {
    @Test func `they are those of an app stream, except for items, page texts and reserved keys`() throws {
        var rules = EventRules.firebaseSDK

        guard case .lists(let lists) = rules.nesting else { throw EventEncodingError(rule: "no_lists") }
        #expect(lists["items"]?.maximumOtherKeys == 27)
        #expect(rules.maximumStringLengths.isEmpty)
        #expect(rules.key.reserved == ["event_id", "event_time_ms", "firebase_conversion"])
        rules.nesting = EventRules.appStream.nesting
        rules.maximumStringLengths = EventRules.appStream.maximumStringLengths
        rules.key = EventRules.appStream.key
        rules.automaticKeys = EventRules.appStream.automaticKeys
        #expect(rules == .appStream)
    }
}
