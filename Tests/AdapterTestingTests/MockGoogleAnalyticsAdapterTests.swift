import AdapterTesting
import CoreTracker
import GoogleAnalytics
import Testing

@Suite struct MockGoogleAnalyticsAdapterTests {
    private let adapter = MockGoogleAnalyticsAdapter()

    @Test func `the adapter of a service is handed what the service makes of a step`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter)

        service.send(event: Journey.Event(name: "Basket Opened", properties: ["itemCount": 2]))

        adapter.expect([VendorEvent(name: "basket_opened", parameters: ["item_count": 2])])
    }

    @Test func `an event is visible before the call returns, until a reset`() {
        adapter.trackEvent(with: "seen", properties: ["id": 7])

        #expect(adapter.events == [VendorEvent(name: "seen", parameters: ["id": 7])])
        adapter.reset()
        adapter.expect([])
    }

    @Test func `another value fails at the line of the expectation`() {
        adapter.trackEvent(with: "seen", properties: ["id": 7])

        let line = #line + 2
        withKnownIssue {
            adapter.expect([VendorEvent(name: "seen", parameters: ["id": 8])])
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
    }
}
