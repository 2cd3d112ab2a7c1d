public import CoreTracker
import CoreTrackerTesting
public import FirebaseTracking

/// A Firebase SDK that sends nothing and keeps each event, for the tests of an app that links the real one.
///
/// An event is kept before `logEvent` returns. A failed expectation stands at the caller's line, in Swift Testing and
/// in XCTest.
public final class MockFirebaseSDKAdapter: FirebaseSDKAdapter {
    private let service = MockFirebaseService()

    /// Creates an adapter that was handed nothing.
    public init() {}

    public func logEvent(_ name: String, parameters: EventParameters) {
        service.track(FirebaseEvent(name: name, parameters: parameters))
    }

    /// The events so far, oldest first.
    public var events: [FirebaseEvent] { service.events }

    /// Forgets what it was handed so far.
    public func reset() {
        service.reset()
    }

    /// Expects exactly these events, in this order, and nothing else.
    public func expect(
        _ events: [FirebaseEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        service.expect(events, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
