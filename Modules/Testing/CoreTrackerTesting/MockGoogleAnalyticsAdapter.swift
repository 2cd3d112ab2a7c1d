public import Analytics
public import CoreTracker

/// An event that Google Analytics receives.
public struct GoogleEvent: Sendable, Hashable {
    /// The event's name.
    public let name: String
    /// The event's properties.
    public let properties: EventParameters

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - name: The event's name.
    ///   - properties: The event's properties.
    public init(_ name: String, _ properties: EventParameters = [:]) {
        self.name = name
        self.properties = properties
    }
}

/// A Google Analytics adapter that sends nothing and records each event, for tests of a `GoogleAnalyticsService`.
///
/// An event is recorded before `trackEvent` returns. A failed expectation is reported at the caller's line, in Swift
/// Testing and in XCTest.
///
/// ```swift
/// service.send(event: .basketOpened(items: 2, isGuest: true))
///
/// adapter.expect([GoogleEvent("basketOpened", ["itemCount": 2, "isGuest": 1])])
/// ```
public final class MockGoogleAnalyticsAdapter: GoogleAnalyticsAdapter {
    private let log = EventLog()

    /// Creates an adapter without events.
    public init() {}

    public func trackEvent(with name: String, properties: EventParameters) {
        log.append(LoggedCall(GoogleEvent(name, properties)))
    }

    /// The recorded events, oldest first.
    public var events: [GoogleEvent] { log.events.compactMap { ($0.event as? LoggedCall<GoogleEvent>)?.call } }

    /// Removes all recorded events.
    ///
    /// A test can then check its last step alone.
    public func reset() {
        log.removeAll()
    }

    /// Expects exactly these events, in this order.
    ///
    /// - Parameters:
    ///   - events: The expected events.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expect(
        _ events: [GoogleEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(with: events.map(LoggedCall.init)))
    }
}

extension LoggedCall<GoogleEvent> {
    fileprivate init(_ event: GoogleEvent) {
        self.init(call: event, as: VendorEvent("googleAnalytics", event.name, event.properties))
    }
}
