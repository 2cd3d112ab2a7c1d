public import Analytics
import CoreTracker

/// A Google Analytics adapter that sends nothing and records each event, for tests of a `GoogleAnalyticsService`.
///
/// An event is recorded before `trackEvent` returns. Its properties are in the order of their keys, because the SDK
/// receives a dictionary. A failed expectation is reported at the caller's line, in Swift Testing and in XCTest.
///
/// ```swift
/// service.send(event: .basketOpened(items: 2, isGuest: true))
///
/// adapter.expect([GoogleEvent("basketOpened", ["itemCount": 2, "isGuest": 1])])
/// ```
public final class MockGoogleAnalyticsAdapter: GoogleAnalyticsAdapter, Sendable {
    private let log = EventLog()

    /// Creates an adapter without events.
    public init() {}

    public func trackEvent(with event: String, properties: [String: Any]) {
        log.append(LoggedCall(GoogleEvent(event, EventParameters(properties))))
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
    /// The order of properties does not matter.
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
        let received = events.map { GoogleEvent($0.name, EventParameters($0.properties.dictionary)) }
        caller.fail(log.mismatch(with: received.map(LoggedCall.init)))
    }
}

extension LoggedCall<GoogleEvent> {
    fileprivate init(_ event: GoogleEvent) {
        self.init(call: event, as: VendorEvent("googleAnalytics", event.name, event.properties))
    }
}

extension EventParameters {
    /// Creates parameters from a dictionary for an SDK, in the order of its keys.
    fileprivate init(_ dictionary: [String: Any]) {
        self.init(dictionary.sorted { $0.key < $1.key }.map { (ParameterKey($0.key), ParameterValue($0.value)) })
    }
}

extension ParameterValue {
    fileprivate init(_ value: Any) {
        self =
            switch value {
            case let text as String: .string(text)
            case let number as Int: .int(number)
            case let number as Double: .double(number)
            case let elements as [Any]: .array(elements.map(ParameterValue.init))
            case let members as [String: Any]: .object(EventParameters(members))
            default: .string("\(value)")
            }
    }
}
