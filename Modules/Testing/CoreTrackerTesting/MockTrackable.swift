public import CoreTracker
import Locks
public import MultiTracker

/// A vendor with every capability that sends nothing and records each call.
///
/// It is for tests of types that call a capability. Pass it to a presenter as the capability, such as `any
/// PlaybackTrackable`, or register it in a `TrackerStore` like any vendor. A call is recorded before it returns. Two
/// instances share nothing. A failed expectation is reported at the caller's line, in Swift Testing and in XCTest.
///
/// ```swift
/// presenter.pause()
/// presenter.previous()
/// presenter.play()
/// presenter.play()
/// presenter.next()
/// presenter.next()
///
/// playback.expect([.play, .next])
/// ```
public final class MockTrackable: Trackable {
    private struct State {
        var calls: [Call] = []
        var isConsentDenied = false
    }

    public let type: TrackerType
    private let state = Mutex(State())

    /// Creates a vendor without calls.
    ///
    /// - Parameter type: The vendor's type. Two vendors in one store need different types.
    public init(_ type: TrackerType = "mock") {
        self.type = type
    }

    /// The recorded calls, oldest first.
    public var calls: [Call] { state.withLock(\.calls) }

    /// Records a call of a capability from the test's module.
    ///
    /// - Parameter call: The call.
    public func record(_ call: Call) {
        state.withLock { $0.calls.append(call) }
    }

    /// Removes all recorded calls.
    ///
    /// A test can then check its last step alone.
    public func reset() {
        state.withLock { $0.calls.removeAll() }
    }

    /// Expects exactly these calls, in this order.
    ///
    /// - Parameters:
    ///   - calls: The expected calls.
    ///   - fileID: The file of the expectation, for the report.
    ///   - filePath: The path of that file.
    ///   - line: The line of the expectation.
    ///   - column: The column of the expectation.
    public func expect(
        _ calls: [Call],
        fileID: StaticString = #fileID,
        filePath: StaticString = #filePath,
        line: UInt = #line,
        column: UInt = #column
    ) {
        let difference = EventDifference(expected: calls.map(\.lines), tracked: self.calls.map(\.lines))
        let caller = Caller(fileID: fileID, filePath: filePath, line: line, column: column)
        caller.fail(difference.isEmpty ? nil : difference.description)
    }
}

extension MockTrackable: ConsentGatedTrackable {
    /// Whether the user has denied consent.
    ///
    /// A test sets it.
    public var isConsentDenied: Bool {
        get { state.withLock(\.isConsentDenied) }
        set { state.withLock { $0.isConsentDenied = newValue } }
    }
}

extension MockTrackable: VendorEventTrackable {
    public func track(_ event: VendorEvent) { record(.event(event)) }
}

extension MockTrackable: PlaybackTrackable {
    public func trackPlay() { record(.play) }
    public func trackPause() { record(.pause) }
    public func trackStop() { record(.stop) }
    public func trackNext() { record(.next) }
    public func trackPrevious() { record(.previous) }
}

extension MockTrackable: ViewNavigationTrackable {
    public func trackNavigate(toView: String, fromView: String) {
        record(.navigate(toView: toView, fromView: fromView))
    }
}

extension MockTrackable: NavigationTrackable {
    public func trackBackTap(fromView: String) { record(.backTap(fromView: fromView)) }
    public func trackSettingsOpen(fromView: String) { record(.settingsOpen(fromView: fromView)) }
}

extension MockTrackable: OptionalNavigationTrackable {
    public func optionalTrackTap() { record(.optionalTap) }
}

extension MockTrackable: TabTrackable {
    public func trackTabSelect(view: String) { record(.tabSelect(view: view)) }
}

extension MockTrackable: DeepLinkTrackable {
    public func trackDeepLinkOpen(toView: String) { record(.deepLinkOpen(toView: toView)) }
}

extension MockTrackable: TapTrackable {
    public func trackTap(on element: String, fromView: String) { record(.tap(on: element, fromView: fromView)) }
}

extension MockTrackable: HomeTrackable {
    public func trackLogin() { record(.login) }
}

extension MockTrackable: HomeTapTrackable {
    public func trackHomeTap(extraParam: String) { record(.homeTap(extraParam: extraParam)) }
}

extension MockTrackable {
    /// A call of a capability, with its arguments.
    public enum Call: Sendable, Equatable {
        /// `trackPlay()`
        case play
        /// `trackPause()`
        case pause
        /// `trackStop()`
        case stop
        /// `trackNext()`
        case next
        /// `trackPrevious()`
        case previous
        /// `trackNavigate(toView:fromView:)`
        case navigate(toView: String, fromView: String)
        /// `trackBackTap(fromView:)`
        case backTap(fromView: String)
        /// `trackSettingsOpen(fromView:)`
        case settingsOpen(fromView: String)
        /// `trackTabSelect(view:)`
        case tabSelect(view: String)
        /// `trackDeepLinkOpen(toView:)`
        case deepLinkOpen(toView: String)
        /// `optionalTrackTap()`
        case optionalTap
        /// `trackTap(on:fromView:)`
        case tap(on: String, fromView: String)
        /// `trackLogin()`
        case login
        /// `trackHomeTap(extraParam:)`
        case homeTap(extraParam: String)
        /// A named event, or a call of a capability from the test's module.
        case event(VendorEvent)

        /// The call as text: one line, and for an event one further line for each parameter.
        var lines: [String] {
            guard case .event(let event) = self else { return ["\(self)"] }
            let recorded = RecordedEvent(ServiceCall(service: .vendor(event)))
            return recorded.lines.dropFirst().map { String($0.dropFirst(2)) }
        }
    }
}
