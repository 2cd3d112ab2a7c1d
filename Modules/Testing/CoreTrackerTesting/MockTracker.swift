public import Analytics
public import CoreTracker

/// A tracker that sends nothing and records each event, for tests of presenters.
///
/// ```swift
/// let tracker = MockTracker()
/// let presenter = DLProductDetailPresenter(product: product, tracker: tracker)
///
/// presenter.appear()
/// presenter.addToBasket()
///
/// tracker.expect([DLProductViewed(product: product), DLProductAddedToBasket(product: product)])
/// ```
///
/// It is also an `AnalyticsService` that records each step. An event is recorded before `track` returns, so a test does
/// not wait. Two instances share nothing: each test creates one. A failed expectation is reported at the caller's line,
/// in Swift Testing and in XCTest.
public final class MockTracker: CoreTracker {
    private let log = EventLog()
    private let stepLog = EventLog()

    /// Creates a tracker without events.
    public init() {}

    public var firebaseService: any FirebaseService { LoggingService(log: log) }
    public var awesomeTrackingService: any AwesomeTrackingService { LoggingService(log: log) }
    public var vendorService: any VendorService { LoggingService(log: log) }

    public func track(_ event: some CoreTrackable) {
        log.append(event)
    }

    /// Returns this tracker.
    ///
    /// It records typed events without default parameters.
    ///
    /// - Parameter defaults: Ignored.
    public func withDefaults(_ defaults: EventParameters) -> any CoreTracker { self }

    /// The tracked events, oldest first.
    public var events: [any CoreTrackable] { log.events.map(\.event) }

    /// The events of the services, in order, as they were at the time of tracking.
    public var services: [EventService] { log.events.flatMap(\.services) }

    /// Returns the tracked events of one type, oldest first.
    ///
    /// - Parameter type: The type of the events.
    /// - Returns: The events.
    public func events<Event: CoreTrackable>(of type: Event.Type) -> [Event] {
        events.compactMap { $0 as? Event }
    }

    /// Removes all recorded events and steps.
    ///
    /// A test can then check its last step alone.
    public func reset() {
        log.removeAll()
        stepLog.removeAll()
    }
}

extension MockTracker: AnalyticsService {
    /// Records a step, for a presenter that also has an analytics service.
    ///
    /// - Parameter event: The step.
    public func send(event: Journey.Event) {
        stepLog.append(LoggedCall(event))
    }

    /// The recorded steps, oldest first.
    public var steps: [Journey.Event] { stepLog.events.compactMap { ($0.event as? LoggedCall<Journey.Event>)?.call } }

    /// Expects exactly these steps, in this order.
    ///
    /// - Parameters:
    ///   - steps: The expected steps.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expect(
        steps: [Journey.Event],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(stepLog.mismatch(with: steps.map(LoggedCall.init)))
    }
}

extension LoggedCall<Journey.Event> {
    fileprivate init(_ event: Journey.Event) {
        self.init(call: event, as: VendorEvent("analytics", event.name, event.parameters))
    }
}

extension MockTracker {
    /// Expects exactly these events, in this order.
    ///
    /// Two events are equal if their types are equal and their services receive the same names and parameters in the
    /// same order. Events need not be `Equatable`.
    ///
    /// - Parameters:
    ///   - events: The expected events.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expect(
        _ events: [any CoreTrackable],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(with: events))
    }

    /// Expects exactly these events, in any order.
    ///
    /// - Parameters:
    ///   - events: The expected events. An event must be tracked as often as it is expected.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expect(
        inAnyOrder events: [any CoreTrackable],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(inAnyOrder: events))
    }

    /// Expects these events in this order.
    ///
    /// Other events may occur before, between and after them.
    ///
    /// - Parameters:
    ///   - events: The expected events.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expect(
        including events: [any CoreTrackable],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(including: events))
    }

    /// Expects no events since the tracker was created or last ``reset()``.
    ///
    /// - Parameters:
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expectNothing(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        expect([], fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects that no service received a text in a name, key or value.
    ///
    /// - Parameters:
    ///   - text: The text, such as a user's name.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expectNothing(
        containing text: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(containing: text) ?? stepLog.mismatch(containing: text))
    }

    /// Expects that no service received unprotected personal data.
    ///
    /// A value is personal data if an event declares it as `Sensitive`. The expectation fails if a policy passes the
    /// value, or if a name, key or value contains its text or that of an element of it. Dropped and hashed values are
    /// allowed.
    ///
    /// - Parameters:
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expectNothingPersonal(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.personalData() ?? stepLog.personalData())
    }
}
