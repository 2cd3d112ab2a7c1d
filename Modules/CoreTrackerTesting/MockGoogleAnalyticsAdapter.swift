public import Analytics
public import CoreTracker

/// An event as Google Analytics gets it.
public struct GoogleEvent: Sendable, Hashable {
    /// The event's name.
    public let name: String
    /// The event's properties.
    public let properties: EventParameters

    /// Creates an event.
    public init(_ name: String, _ properties: EventParameters = [:]) {
        self.name = name
        self.properties = properties
    }
}

/// A Google Analytics adapter that sends nothing and keeps each event, for the tests of a `GoogleAnalyticsService`.
///
/// An event is kept before `trackEvent` returns. A failed expectation stands at the caller's line, in Swift Testing and
/// in XCTest.
public final class MockGoogleAnalyticsAdapter: GoogleAnalyticsAdapter {
    private let log = EventLog()

    /// Creates an adapter without events.
    public init() {}

    public func trackEvent(with name: String, properties: EventParameters) {
        log.append(Logged(event: GoogleEvent(name, properties)))
    }

    /// The events so far, oldest first.
    public var events: [GoogleEvent] { log.events.compactMap { ($0.event as? Logged)?.event } }

    /// Removes all events, so that a test can look at its last step alone.
    public func reset() {
        log.removeAll()
    }

    /// Expects exactly these events, in this order.
    public func expect(
        _ events: [GoogleEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(with: events.map { Logged(event: $0) }))
    }

    /// An event as an event log keeps it.
    private struct Logged: CoreTrackable {
        let event: GoogleEvent

        var services: [EventService] { [.vendor(VendorEvent("googleAnalytics", event.name, event.properties))] }
    }
}
