public import CoreTracker

/// A service that delivers nothing and keeps each event, for the tests of a product's tracker.
public final class MockFirebaseService: FirebaseService {
    private let log = EventLog()

    /// Creates a service that was handed nothing.
    public init() {}

    public func track(_ event: FirebaseEvent) {
        log.append(ServiceCall(service: .firebase(event)))
    }

    /// The events so far, oldest first.
    public var events: [FirebaseEvent] {
        log.events.flatMap(\.services).compactMap { if case .firebase(let event) = $0 { event } else { nil } }
    }

    /// Forgets what it was handed so far.
    public func reset() {
        log.removeAll()
    }

    /// Expects exactly these events, in this order, and nothing else.
    public func expect(
        _ events: [FirebaseEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(with: events.map { ServiceCall(service: .firebase($0)) }))
    }
}
