import CoreTracker
import CoreTrackerTesting
import Testing

@testable import Analytics

extension Journey.Event {
    fileprivate static func basketOpened(items: Int, isGuest: Bool) -> Self {
        Journey.Event(name: "basketOpened", properties: ["itemCount": .int(items), "isGuest": .bool(isGuest)])
    }
}

@Suite struct GoogleAnalyticsServiceTests {
    @Test func `a step reaches the adapter under its own name and keys, with Google's values`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter)

        service.send(event: Journey.Event(name: "basketOpened", properties: ["itemCount": 2, "isGuest": true]))

        adapter.expect([GoogleEvent("basketOpened", ["itemCount": 2, "isGuest": 1])])
    }

    @Test func `in snake case, names and keys comply with Google's rules`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter, names: .snakeCase)

        service.send(event: .basketOpened(items: 2, isGuest: true))

        adapter.expect([GoogleEvent("basket_opened", ["item_count": 2, "is_guest": 1])])
    }

    @Test func `an SDK's class, which is not Sendable, is an adapter`() {
        let sdk = GoogleSDK()

        GoogleAnalyticsService(adapter: sdk).send(event: .basketOpened(items: 2, isGuest: true))

        #expect(sdk.events == ["basketOpened isGuest 1 itemCount 2"])
    }

    @Test func `steps arrive in the order in which they were sent`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter)

        for number in 0..<100 { service.send(event: Journey.Event(name: "e\(number)")) }

        #expect(adapter.events.map(\.name) == (0..<100).map { "e\($0)" })
    }

    @Test func `an SDK never receives a sensitive value`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter)
        let mail = Sensitive("ali@example.com")

        service.send(
            event: Journey.Event(name: "e", properties: .sensitive(mail, as: "userMail", policy: .pass(.analytics)))
        )

        adapter.expect([GoogleEvent("e")])
    }
}

/// A replacement of an SDK's class, with a method that takes a dictionary of any values.
private final class GoogleSDK {
    private(set) var events: [String] = []

    func trackEvent(with event: String, properties: [String: Any]) {
        let properties = properties.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        events.append(([event] + properties).joined(separator: " "))
    }
}

extension GoogleSDK: GoogleAnalyticsAdapter {}
