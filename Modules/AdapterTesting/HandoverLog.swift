import CoreTracker
import CoreTrackerTesting
import EventDelivery
import Synchronization

/// What the mock of an SDK was handed, in order, with the users of the events.
final class HandoverLog: Sendable {
    private static let type: TrackerType = "sdk"

    private struct State {
        var users: [String?] = []
        var refusal: SDKRefusal?
    }

    private let service = MockVendorService()
    private let state = Mutex(State())

    /// The events so far, oldest first.
    var events: [VendorEvent] { service.events(of: HandoverLog.type) }

    /// The events' users, in the same order.
    var users: [String?] { state.withLock(\.users) }

    /// Why events are refused from now on.
    var refusal: SDKRefusal? {
        get { state.withLock(\.refusal) }
        set { state.withLock { $0.refusal = newValue } }
    }

    /// Keeps an event, or refuses it; an SDK is called by one caller at a time, so that both lists keep one order.
    func take(_ event: VendorEvent, userID: String?) throws(SDKRefusal) {
        if let refusal { throw refusal }
        service.track(event, type: HandoverLog.type)
        state.withLock { $0.users.append(userID) }
    }

    /// Forgets what was handed over so far.
    func reset() {
        service.reset()
        state.withLock { $0.users.removeAll() }
    }

    /// Expects exactly these events, in this order, and nothing else.
    func expect(
        _ events: [VendorEvent],
        fileID: StaticString,
        filePath: StaticString,
        line: UInt,
        column: UInt
    ) {
        let expected = events.map { (HandoverLog.type, $0) }
        service.expect(expected, fileID: fileID, filePath: filePath, line: line, column: column)
    }
}
