import CoreTracker
import CoreTrackerTesting
import EventDeliveryTesting
import SDKDelivery
import Testing

@Suite struct MockSDKAdapterTests {
    private let adapter = MockSDKAdapter()
    private let event = MockSDKAdapter.Event("seen", ["id": 7])

    @Test func `an event is visible before the call returns, until a reset`() throws {
        try adapter.record(event, userID: "u-1")
        try adapter.record(MockSDKAdapter.Event("seen", ["id": 8]))

        adapter.expect([event, MockSDKAdapter.Event("seen", ["id": 8])])
        #expect(adapter.users == ["u-1", nil])
        adapter.reset()
        adapter.expect([])
        #expect(adapter.users.isEmpty)
    }

    @Test func `an error is thrown by every call until it is removed`() throws {
        adapter.error = .notReady

        #expect(throws: SDKError.notReady) { try adapter.record(event) }
        #expect(throws: SDKError.notReady) { try adapter.record(event, userID: "u-1") }
        adapter.error = nil
        try adapter.record(event)

        adapter.expect([event])
    }

    @Test func `another value fails at the line of the expectation`() throws {
        try adapter.record(event)

        let line = UInt(#line + 1)
        let failures = ExpectationFailure.all { adapter.expect([MockSDKAdapter.Event("seen", ["id": 8])]) }

        #expect(failures.map(\.line) == [line])
    }
}
