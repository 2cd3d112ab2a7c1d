public import CoreTracker
public import EventDelivery
public import FirebaseTracking

/// A Firebase SDK that sends nothing and keeps each event, for the tests of an app that links the real one.
///
/// A failed expectation stands at the caller's line, in Swift Testing and in XCTest.
public final class MockFirebaseSDKAdapter: FirebaseSDKAdapter {
    private let log = HandoverLog()

    /// Creates an adapter that was handed nothing.
    public init() {}

    public func logEvent(_ name: String, parameters: EventParameters, userID: String?) throws(SDKRefusal) {
        try log.take(VendorEvent(name: name, parameters: parameters), userID: userID)
    }

    /// The events so far, oldest first.
    public var events: [FirebaseEvent] {
        log.events.map { FirebaseEvent(name: $0.name, parameters: $0.parameters) }
    }

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
        _ events: [FirebaseEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let expected = events.map { VendorEvent(name: $0.name, parameters: $0.parameters) }
        log.expect(expected, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
