public import Analytics
public import CoreTracker

/// A tracker that delivers nothing and keeps each event, for the tests of presenters.
///
/// It is also an `AnalyticsService` that keeps each step.
/// An event is kept before `track` returns, so a test needs no waiting. Nothing is shared between two instances: each
/// test makes its own. The expectations fail at the caller's line, in Swift Testing and in XCTest.
public final class MockTracker: CoreTracker {
    private let log = EventLog()
    private let stepLog = EventLog()

    /// Creates a tracker that has tracked nothing.
    public init() {}

    public var firebaseService: any FirebaseService { LoggingService(log: log) }
    public var awesomeTrackingService: any AwesomeTrackingService { LoggingService(log: log) }
    public var vendorService: any VendorService { LoggingService(log: log) }

    public func track(_ event: some CoreTrackable) {
        log.append(event)
    }

    /// Returns this tracker: the typed events are kept, whatever scope they are tracked in.
    public func scoped(by defaults: EventParameters) -> any CoreTracker { self }

    /// The tracked events, oldest first.
    public var events: [any CoreTrackable] { log.events.map(\.event) }

    /// What each service was handed, in order, taken at the moment of tracking.
    public var services: [EventService] { log.events.flatMap(\.services) }

    /// Returns the tracked events of one type, oldest first.
    public func events<Event: CoreTrackable>(of type: Event.Type) -> [Event] {
        events.compactMap { $0 as? Event }
    }

    /// Forgets what was tracked so far, so that a test can look at its last step alone.
    public func reset() {
        log.removeAll()
        stepLog.removeAll()
    }
}

extension MockTracker: AnalyticsService {
    /// Keeps a step, for a presenter that has an analytics service beside its tracker.
    public func send(event: Journey.Event) {
        stepLog.append(Step(event: event))
    }

    /// The steps so far, oldest first.
    public var steps: [Journey.Event] { stepLog.events.compactMap { ($0.event as? Step)?.event } }

    /// Expects exactly these steps, in this order.
    public func expect(
        steps: [Journey.Event],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(stepLog.mismatch(with: steps.map { Step(event: $0) }))
    }

    /// A step as an event log keeps it.
    private struct Step: CoreTrackable {
        let event: Journey.Event

        var services: [EventService] { [.vendor(VendorEvent("analytics", event.name, event.properties))] }
    }
}

extension MockTracker {
    /// Expects exactly these events, in this order, and nothing else.
    ///
    /// Two events are equal when their types are and each of their services is handed the same name and parameters in
    /// the same order; events need not be `Equatable`.
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

    /// Expects exactly these events, in any order, and nothing else.
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

    /// Expects these events in this order; others may come before, between and after them.
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

    /// Expects that nothing was tracked, or nothing since the last ``reset()``.
    public func expectNothing(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        expect([], fileID: fileID, filePath: filePath, line: line, column: column)
    }

    /// Expects that a text, such as a user's name, stands in no name, key or value that a service was handed.
    public func expectNothing(
        containing text: String,
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(containing: text))
    }

    /// Expects that no service was handed personal data as it is.
    ///
    /// Personal data is what an event declares to be `Sensitive`: neither may a policy pass it, nor may its text stand
    /// in any name, key or value. What is dropped or hashed is no finding.
    public func expectNothingPersonal(
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.personalData())
    }
}
