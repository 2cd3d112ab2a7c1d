public import CoreTracker
import CoreTrackerTesting
public import GoogleAnalytics

/// A Google Analytics that sends nothing and keeps each event, for the tests of what uses an `AnalyticsService`.
///
/// An event is kept before `trackEvent` returns. A failed expectation stands at the caller's line, in Swift Testing and
/// in XCTest.
public final class MockGoogleAnalyticsAdapter: GoogleAnalyticsAdapter {
    private static let type: TrackerType = "googleAnalytics"
    private let service = MockVendorService()

    /// Creates an adapter that was handed nothing.
    public init() {}

    public func trackEvent(with name: String, properties: EventParameters) {
        service.track(VendorEvent(name: name, parameters: properties), type: MockGoogleAnalyticsAdapter.type)
    }

    /// The events so far, oldest first.
    public var events: [VendorEvent] { service.events(of: MockGoogleAnalyticsAdapter.type) }

    /// Forgets what it was handed so far.
    public func reset() {
        service.reset()
    }

    /// Expects exactly these events, in this order, and nothing else.
    public func expect(
        _ events: [VendorEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let expected = events.map { (MockGoogleAnalyticsAdapter.type, $0) }
        service.expect(expected, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
