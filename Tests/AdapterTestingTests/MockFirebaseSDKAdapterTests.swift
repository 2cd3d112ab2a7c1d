import AdapterTesting
import CoreTracker
import FirebaseTracking
import Testing

@Suite struct MockFirebaseSDKAdapterTests {
    private let adapter = MockFirebaseSDKAdapter()

    @Test func `the SDK of a service is handed what keeps its rules`() async {
        let service = FirebaseSDKService(adapter: adapter)

        service.track(FirebaseEvent(name: "view_item", parameters: ["is_new": true]))
        await service.close()

        adapter.expect([FirebaseEvent(name: "view_item", parameters: ["is_new": 1])])
    }

    @Test func `an event is visible before the call returns, until a reset`() {
        adapter.logEvent("seen", parameters: ["id": 7])

        #expect(adapter.events == [FirebaseEvent(name: "seen", parameters: ["id": 7])])
        adapter.reset()
        adapter.expect([])
    }

    @Test func `another value fails at the line of the expectation`() {
        adapter.logEvent("seen", parameters: ["id": 7])

        let line = #line + 2
        withKnownIssue {
            adapter.expect([FirebaseEvent(name: "seen", parameters: ["id": 8])])
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
    }
}
