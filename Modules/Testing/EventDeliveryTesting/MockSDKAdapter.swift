public import CoreTracker
import CoreTrackerTesting
import Locks
public import SDKDelivery

/// A vendor's SDK that sends nothing and records each event, for tests of an app that links the real one.
///
/// The tests conform it to the vendor's adapter:
///
/// ```swift
/// extension MockSDKAdapter: BrazeSDKAdapter {
///     public func logCustomEvent(_ name: String, properties: EventParameters, userID: String?) throws(SDKError) {
///         try record(Event(name, properties), userID: userID)
///     }
/// }
/// ```
///
/// An event is recorded before the call returns. A failed expectation is reported at the caller's line, in Swift
/// Testing and in XCTest.
public final class MockSDKAdapter: Sendable {
    /// An event as received by an SDK: a name and parameters.
    public struct Event: Sendable, Hashable {
        /// The event's name.
        public let name: String
        /// The event's parameters.
        public let parameters: EventParameters

        /// Creates an event.
        ///
        /// - Parameters:
        ///   - name: The event's name.
        ///   - parameters: The event's parameters.
        public init(_ name: String, _ parameters: EventParameters = []) {
            (self.name, self.parameters) = (name, parameters)
        }

        fileprivate var vendorEvent: VendorEvent { VendorEvent("sdk", name, parameters) }
    }

    private struct State {
        var users: [String?] = []
        var error: SDKError?
    }

    private let service = MockVendorService()
    private let state = Mutex(State())

    /// Creates an adapter without events.
    public init() {}

    /// The recorded events, oldest first.
    public var events: [Event] { service.events.map { Event($0.name, $0.parameters) } }

    /// The user of each recorded event, in the same order; `nil` for an event without a user.
    public var users: [String?] { state.withLock(\.users) }

    /// The error that every further call of ``record(_:userID:)`` throws, or `nil` if events are accepted.
    public var error: SDKError? {
        get { state.withLock(\.error) }
        set { state.withLock { $0.error = newValue } }
    }

    /// Records an event, for a vendor's adapter.
    ///
    /// An SDK has only one caller at a time, which keeps the order of both lists equal.
    ///
    /// - Parameters:
    ///   - event: The event as the SDK receives it.
    ///   - userID: The user of the event, or `nil` for an event without a user.
    /// - Throws: ``error``, if the test has set it. The event is then not recorded.
    public func record(_ event: Event, userID: String? = nil) throws(SDKError) {
        if let error { throw error }
        service.track(event.vendorEvent)
        state.withLock { $0.users.append(userID) }
    }

    /// Removes all recorded events.
    public func reset() {
        service.reset()
        state.withLock { $0.users.removeAll() }
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
        _ events: [Event],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let expected = events.map(\.vendorEvent)
        service.expect(expected, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
