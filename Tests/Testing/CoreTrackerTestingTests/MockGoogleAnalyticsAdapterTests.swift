import Analytics
import CoreTracker
import CoreTrackerTesting
import Testing

@Suite struct MockGoogleAnalyticsAdapterTests {
    private let adapter = MockGoogleAnalyticsAdapter()

    @Test func `the adapter receives the event that the service creates from a step`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter)

        service.send(event: Journey.Event(name: "basketOpened", properties: ["itemCount": 2]))

        adapter.expect([GoogleEvent("basketOpened", ["itemCount": 2])])
    }

    @Test func `an event is visible before the call returns, until a reset`() {
        adapter.trackEvent(with: "seen", properties: ["id": 7])

        #expect(adapter.events == [GoogleEvent("seen", ["id": 7])])
        adapter.reset()
        adapter.expect([])
    }

    @Test func `another value fails at the line of the expectation`() {
        adapter.trackEvent(with: "seen", properties: ["id": 7])

        let line = #line + 2
        withKnownIssue {
            adapter.expect([GoogleEvent("seen", ["id": 8])])
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
    }
}
