public import AdobeTracker
public import CoreTracker
public import EventDelivery

/// An Adobe Edge SDK that sends nothing and keeps each event, for the tests of an app that links the real one.
///
/// A failed expectation stands at the caller's line, in Swift Testing and in XCTest.
public final class MockAdobeSDKAdapter: AdobeSDKAdapter {
    private let log = HandoverLog()

    /// Creates an adapter that was handed nothing.
    public init() {}

    public func sendEvent(xdm: EventParameters, data: EventParameters) throws(SDKRefusal) {
        let name = if case .string(let type) = xdm["eventType"] { type } else { "" }
        try log.take(VendorEvent(name: name, parameters: ["xdm": .object(xdm), "data": .object(data)]), userID: nil)
    }

    /// The events so far, oldest first: each by its type, with `xdm` and `data` as its two parameters.
    public var events: [VendorEvent] { log.events }

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
