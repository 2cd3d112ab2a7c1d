public import CoreTracker

/// A service that sends nothing and records each event, for tests of a product's tracker.
///
/// An event is recorded before `track` returns. A failed expectation is reported at the caller's line, in Swift Testing
/// and in XCTest.
///
/// ```swift
/// let firebase = MockFirebaseService()
/// let awesomeTracking = MockAwesomeTrackingService()
/// let tracker = DLTracker(firebaseService: firebase, awesomeTrackingService: awesomeTracking)
/// let product = DLProduct(id: "7", price: 35.79, currency: "TRY")
///
/// DLProductDetailPresenter(product: product, tracker: tracker).appear()
///
/// firebase.expect([FirebaseEvent("view_item", DLBasket(product).firebaseParameters)])
/// awesomeTracking.expect([AwesomeTrackingEvent("product_viewed", product.awesomeTrackingParameters)])
/// ```
public final class MockFirebaseService: FirebaseService {
    private let log = EventLog()

    /// Creates a service without events.
    public init() {}

    public func track(_ event: FirebaseEvent) {
        log.append(ServiceCall(service: .firebase(event)))
    }

    /// The recorded events, oldest first.
    public var events: [FirebaseEvent] {
        log.events.flatMap(\.services).compactMap { if case .firebase(let event) = $0 { event } else { nil } }
    }

    /// Removes all recorded events.
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
    /// - Parameters:
    ///   - events: The expected events.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
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

/// A service that sends nothing and records the events of each vendor, for tests of a product's tracker.
///
/// An event is recorded before `track` returns. A failed expectation is reported at the caller's line, in Swift Testing
/// and in XCTest.
public final class MockVendorService: VendorService {
    private let log = EventLog()

    /// Creates a service without events.
    public init() {}

    public func track(_ event: VendorEvent) {
        log.append(ServiceCall(service: .vendor(event)))
    }

    /// The recorded events, oldest first.
    public var events: [VendorEvent] {
        log.events.flatMap(\.services).compactMap { if case .vendor(let event) = $0 { event } else { nil } }
    }

    /// Returns the recorded events of one vendor, oldest first.
    ///
    /// - Parameter type: The vendor's type.
    /// - Returns: The events.
    public func events(of type: TrackerType) -> [VendorEvent] { events.filter { $0.type == type } }

    /// Removes all recorded events.
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

/// A service of each kind that records its events in a log.
struct LoggingService: FirebaseService, AwesomeTrackingService, VendorService {
    let log: EventLog

    func track(_ event: FirebaseEvent) {
        log.append(ServiceCall(service: .firebase(event)))
    }

    func track(_ event: AwesomeTrackingEvent) {
        log.append(ServiceCall(service: .awesomeTracking(event)))
    }

    func track(_ event: VendorEvent) {
        log.append(ServiceCall(service: .vendor(event)))
    }
}

/// A direct call of a service, without a typed event.
struct ServiceCall: CoreTrackable {
    /// The service, with its event.
    let service: EventService

    var services: [EventService] { [service] }
}
