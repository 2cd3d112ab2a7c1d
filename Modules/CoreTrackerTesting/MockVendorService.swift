public import CoreTracker

/// A service that delivers nothing and keeps each vendor's events, for the tests of a product's tracker.
public final class MockVendorService: VendorService {
    private let log = EventLog()

    /// Creates a service that was handed nothing.
    public init() {}

    public func track(_ event: VendorEvent) {
        log.append(ServiceCall(service: .vendor(event)))
    }

    /// The events so far, oldest first.
    public var events: [VendorEvent] {
        log.events.flatMap(\.services).compactMap { if case .vendor(let event) = $0 { event } else { nil } }
    }

    /// Returns the events of one vendor so far, oldest first.
    public func events(of type: TrackerType) -> [VendorEvent] { events.filter { $0.type == type } }

    /// Forgets what it was handed so far.
    public func reset() {
        log.removeAll()
    }

    /// Expects exactly these events, in this order, and nothing else.
    public func expect(
        _ events: [VendorEvent],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(log.mismatch(with: events.map { ServiceCall(service: .vendor($0)) }))
    }
}
