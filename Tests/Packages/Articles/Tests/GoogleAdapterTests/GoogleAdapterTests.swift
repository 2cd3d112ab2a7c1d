import Analytics
import CoreTrackerTesting
import Foundation
import Testing

/// The class of a vendor's SDK, which the app does not own.
final class GoogleSDK {
    init(apiKey: String, clientSecret: String) {}

    func trackEvent(with event: String, properties: [String: Any]) {}
}

extension GoogleSDK: GoogleAnalyticsAdapter {}

extension Journey.Event {
    static func noteCreated(words: Int, isShared: Bool) -> Self {
        Self(name: "noteCreated", properties: ["words": words, "isShared": isShared])
    }
}

/// A function that needs no import of `CoreTracker`.
func properties(of event: Journey.Event) -> EventParameters { event.parameters }

struct NotesPresenter {
    private let analytics: any AnalyticsService

    init(analytics: any AnalyticsService = GoogleAnalyticsService(adapter: GoogleSDK(apiKey: "k", clientSecret: "s"))) {
        self.analytics = analytics
    }

    func create(_ text: String) {
        analytics.send(event: .noteCreated(words: text.split(separator: " ").count, isShared: false))
    }
}

/// The text's first form: the SDK's class is the service, and copies the properties into its dictionary.
final class LoopingSDK: AnalyticsService {
    private(set) var properties: [String: Any] = [:]

    func send(event: Journey.Event) {
        var properties: [String: Any] = [:]
        event.properties.forEach { property in
            properties[property.name] = property.value
        }
        self.properties = properties
    }
}

@Suite struct GoogleAdapterTests {
    @Test func `an SDK accepts the values of a step as they are`() {
        let sdk = LoopingSDK()

        sdk.send(event: Journey.Event(name: "noteCreated", properties: ["words": 2, "isShared": true, "tags": ["a"]]))

        #expect(JSONSerialization.isValidJSONObject(sdk.properties))
        #expect(sdk.properties["words"] as? Int == 2)
    }

    @Test func `the service transforms a step, and its adapter gets the result`() {
        let adapter = MockGoogleAnalyticsAdapter()

        GoogleAnalyticsService(adapter: adapter).send(event: .noteCreated(words: 2, isShared: true))

        adapter.expect([GoogleEvent("noteCreated", ["words": 2, "isShared": 1])])
    }

    @Test func `the SDK is an adapter`() {
        NotesPresenter().create("milk and bread")
    }

    @Test func `a presenter sends a step`() {
        let tracker = MockTracker()

        NotesPresenter(analytics: tracker).create("milk and bread")

        tracker.expect(steps: [.noteCreated(words: 3, isShared: false)])
    }
}
