public import AdobeTracker
public import BrazeTracker
public import CoreTracker
import CoreTrackerTesting
public import EventDelivery
public import FirebaseTracking
public import GoogleAnalytics
import Locks

/// A vendor's SDK, whichever it is, that sends nothing and keeps each event, for the tests of an app that links the
/// real one.
///
/// An event is kept before the call returns. A failed expectation stands at the caller's line, in Swift Testing and in
/// XCTest.
public final class MockSDKAdapter: Sendable {
    /// An event as an SDK gets it: a name and parameters.
    public struct Event: Sendable, Hashable {
        /// The event's name.
        public let name: String
        /// The event's parameters.
        public let parameters: EventParameters

        /// Creates an event.
        public init(_ name: String, _ parameters: EventParameters = []) {
            (self.name, self.parameters) = (name, parameters)
        }

        fileprivate var vendorEvent: VendorEvent { VendorEvent("sdk", name, parameters) }
    }

    private struct State {
        var users: [String?] = []
        var refusal: SDKRefusal?
    }

    private let service = MockVendorService()
    private let state = Mutex(State())

    /// Creates an adapter that was handed nothing.
    public init() {}

    /// The events so far, oldest first; Adobe's by their type, with `xdm` and `data` as their two parameters.
    public var events: [Event] { service.events.map { Event($0.name, $0.parameters) } }

    /// The users of the events so far, `nil` for none, in the same order.
    public var users: [String?] { state.withLock(\.users) }

    /// Why events are refused from now on; `nil` while all are taken.
    public var refusal: SDKRefusal? {
        get { state.withLock(\.refusal) }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// Forgets what it was handed so far.
    public func reset() {
        service.reset()
        state.withLock { $0.users.removeAll() }
    }

    /// Expects exactly these events, in this order, and nothing else.
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

    /// Keeps an event, or refuses it; an SDK is called by one caller at a time, so that both lists keep one order.
    private func take(_ event: Event, userID: String?) throws(SDKRefusal) {
        if let refusal { throw refusal }
        service.track(event.vendorEvent)
        state.withLock { $0.users.append(userID) }
    }
}

extension MockSDKAdapter: FirebaseSDKAdapter, GoogleEventLogger {
    public func logEvent(_ name: String, parameters: EventParameters, userID: String?) throws(SDKRefusal) {
        try take(Event(name, parameters), userID: userID)
    }
}

extension MockSDKAdapter: BrazeSDKAdapter {
    public func logCustomEvent(_ name: String, properties: EventParameters, userID: String?) throws(SDKRefusal) {
        try take(Event(name, properties), userID: userID)
    }
}

extension MockSDKAdapter: AdobeSDKAdapter {
    public func sendEvent(xdm: EventParameters, data: EventParameters) throws(SDKRefusal) {
        let name = if case .string(let type) = xdm["eventType"] { type } else { "" }
        try take(Event(name, ["xdm": .object(xdm), "data": .object(data)]), userID: nil)
    }
}
