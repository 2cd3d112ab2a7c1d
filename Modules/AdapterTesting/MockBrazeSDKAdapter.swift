public import BrazeTracker
public import CoreTracker
public import EventDelivery

/// A Braze SDK that sends nothing and keeps each event, for the tests of an app that links the real one.
///
/// A failed expectation stands at the caller's line, in Swift Testing and in XCTest.
public final class MockBrazeSDKAdapter: BrazeSDKAdapter {
    private let log = HandoverLog()

    /// Creates an adapter that was handed nothing.
    public init() {}

    public func logCustomEvent(_ name: String, properties: EventParameters, userID: String?) throws(SDKRefusal) {
        try log.take(VendorEvent(name: name, parameters: properties), userID: userID)
    }

    /// The events so far, oldest first.
    public var events: [VendorEvent] { log.events }

    /// The users of the events so far, `nil` for none, in the same order.
    public var users: [String?] { log.users }

    /// Why events are refused from now on; `nil` while all are taken.
    public var refusal: SDKRefusal? {
        get { log.refusal }
        set { log.refusal = newValue }
    }

    /// Forgets what it was handed so far.
    public func reset() {
        log.reset()
    }

    /// Expects exactly these events, in this order, and nothing else.
    public func expect(
        _ events: [VendorEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        log.expect(events, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
