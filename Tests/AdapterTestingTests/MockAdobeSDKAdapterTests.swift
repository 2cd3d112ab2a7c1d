import AdapterTesting
import AdobeTracker
import CoreTracker
import EventDelivery
import Testing

@Suite struct MockAdobeSDKAdapterTests {
    private let adapter = MockAdobeSDKAdapter()

    @Test func `an event is visible before the call returns, until a reset`() throws {
        try adapter.sendEvent(xdm: ["eventType": "seen"], data: ["id": 7])

        adapter.expect([VendorEvent(name: "seen", parameters: ["xdm": ["eventType": "seen"], "data": ["id": 7]])])
        adapter.reset()
        adapter.expect([])
    }

    @Test func `a refusal is the answer to every call until it ends`() throws {
        adapter.refusal = .notReady

        #expect(throws: SDKRefusal.notReady) { try adapter.sendEvent(xdm: ["eventType": "seen"], data: ["id": 7]) }
        adapter.refusal = nil
        try adapter.sendEvent(xdm: ["eventType": "seen"], data: ["id": 7])

        adapter.expect([VendorEvent(name: "seen", parameters: ["xdm": ["eventType": "seen"], "data": ["id": 7]])])
    }

    @Test func `another value fails at the line of the expectation`() throws {
        try adapter.sendEvent(xdm: ["eventType": "seen"], data: ["id": 7])

        let line = #line + 2
        withKnownIssue {
            adapter.expect([VendorEvent(name: "seen", parameters: ["xdm": ["eventType": "seen"], "data": ["id": 8]])])
        } matching: { issue in
            issue.sourceLocation?.line == line
        }
    }
}
