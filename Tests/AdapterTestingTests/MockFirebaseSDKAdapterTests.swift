import AdapterTesting
import CoreTracker
import EventDelivery
import FirebaseTracking
import Testing

@Suite struct MockFirebaseSDKAdapterTests {
    private let adapter = MockFirebaseSDKAdapter()

    @Test func `an event is visible before the call returns, until a reset`() throws {
        try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1")

        adapter.expect([FirebaseEvent(name: "seen", parameters: ["id": 7])])
        #expect(adapter.users == ["u-1"])
        adapter.reset()
        adapter.expect([])
    }

    @Test func `a refusal is the answer to every call until it ends`() throws {
        adapter.refusal = .notReady

        #expect(throws: SDKRefusal.notReady) { try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1") }
        adapter.refusal = nil
        try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1")

        adapter.expect([FirebaseEvent(name: "seen", parameters: ["id": 7])])
    }

    @Test func `another value fails at the line of the expectation`() throws {
        try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1")

        let line = #line + 2
        withKnownIssue {
            adapter.expect([FirebaseEvent(name: "seen", parameters: ["id": 8])])
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
    }
}
