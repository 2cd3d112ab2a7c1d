public import CoreTracker
import Locks
public import MultiTracker

/// A vendor with every capability that delivers nothing and keeps each call, for the tests of what holds a capability.
///
/// A presenter takes it as the capability that it holds, such as `any PlaybackTrackable`; a `TrackerStore` registers it
/// like any vendor. A call is kept before it returns. Nothing is shared between two instances. A failed expectation
/// stands at the caller's line, in Swift Testing and in XCTest.
public final class MockTrackable: Trackable {
    private struct State {
        var calls: [Call] = []
        var isConsentDenied = false
    }

    public let type: TrackerType
    private let state = Mutex(State())

    /// Creates a vendor that was called for nothing; two in one store need two types.
    public init(_ type: TrackerType = "mock") {
        self.type = type
    }

    /// The calls so far, oldest first.
    public var calls: [Call] { state.withLock(\.calls) }

    /// Keeps a call, for a capability that a test's own module defines.
    public func record(_ call: Call) {
        state.withLock { $0.calls.append(call) }
    }

    /// Forgets the calls so far, so that a test can look at its last step alone.
    public func reset() {
        state.withLock { $0.calls.removeAll() }
    }

    /// Expects exactly these calls, in this order, and nothing else.
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
    /// Whether the user has refused consent, as the test says.
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
