import AdapterTesting
import CoreTracker
import EventDelivery
import Testing

@Suite struct MockSDKAdapterTests {
    private let adapter = MockSDKAdapter()

    @Test func `an event is compared with its parameters`() throws {
        let adapter = MockSDKAdapter()

        try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1")

        adapter.expect([MockSDKAdapter.Event("seen", ["id": 7])])
    }

    @Test func `an event is visible before the call returns, until a reset`() throws {
        try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1")
        try adapter.logCustomEvent("seen", properties: ["id": 8], userID: nil)
        try adapter.sendEvent(xdm: ["eventType": "seen"], data: ["id": 9])

        adapter.expect([
            MockSDKAdapter.Event("seen", ["id": 7]), MockSDKAdapter.Event("seen", ["id": 8]),
            MockSDKAdapter.Event("seen", ["xdm": ["eventType": "seen"], "data": ["id": 9]]),
        ])
        #expect(adapter.users == ["u-1", nil, nil])
        adapter.reset()
        adapter.expect([])
    }

    @Test func `an error is thrown by every call until it is removed`() throws {
        adapter.error = .notReady

        #expect(throws: SDKError.notReady) { try adapter.logEvent("seen", parameters: [:], userID: nil) }
        #expect(throws: SDKError.notReady) { try adapter.logCustomEvent("seen", properties: [:], userID: nil) }
        #expect(throws: SDKError.notReady) { try adapter.sendEvent(xdm: [:], data: [:]) }
        adapter.error = nil
        try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1")

        adapter.expect([MockSDKAdapter.Event("seen", ["id": 7])])
    }

    @Test func `another value fails at the line of the expectation`() throws {
        try adapter.logEvent("seen", parameters: ["id": 7], userID: "u-1")

        let line = #line + 2
        withKnownIssue {
            adapter.expect([MockSDKAdapter.Event("seen", ["id": 8])])
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
    }
}
