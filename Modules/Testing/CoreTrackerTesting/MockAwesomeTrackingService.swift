public import CoreTracker

/// A service that sends nothing and records each event, for tests of a product's tracker.
///
/// An event is recorded before `track` returns. A failed expectation is reported at the caller's line, in Swift Testing
/// and in XCTest.
public final class MockAwesomeTrackingService: AwesomeTrackingService {
    private let log = EventLog()

    /// Creates a service without events.
    public init() {}

    public func track(_ event: AwesomeTrackingEvent) {
        log.append(ServiceCall(service: .awesomeTracking(event)))
    }

    /// The recorded events, oldest first.
    public var events: [AwesomeTrackingEvent] {
        log.events.flatMap(\.services).compactMap { if case .awesomeTracking(let event) = $0 { event } else { nil } }
    }

    /// Removes all recorded events.
    public func reset() {
        log.removeAll()
    }

    /// Expects exactly these events, in this order.
    ///
    /// - Parameter events: The expected events.
    public func expect(
        _ events: [AwesomeTrackingEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(with: events.map { ServiceCall(service: .awesomeTracking($0)) }))
    }
}
