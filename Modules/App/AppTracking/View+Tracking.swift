public import CoreTracker
public import EventTracking

#if canImport(SwiftUI)
public import SwiftUI
#endif

#if canImport(SwiftUI)
extension EnvironmentValues {
    private struct TrackerKey: EnvironmentKey {
        static let defaultValue: any CoreTracker = NoOpTracker()
    }

    /// The tracker for this view hierarchy.
    ///
    /// The default sends no events and counts them.
    public var tracker: any CoreTracker {
        get { self[TrackerKey.self] }
        set { self[TrackerKey.self] = newValue }
    }
}

extension View {
    /// Sets the tracker for this view hierarchy.
    ///
    /// Previews do not set it, so they send no events.
    ///
    /// - Parameter tracker: The tracker.
    /// - Returns: The view with the tracker in its environment.
    public func tracker(_ tracker: any CoreTracker) -> some View {
        environment(\.tracker, tracker)
    }

    /// Tracks an event each time the view appears as a screen, with the tracker of its environment.
    ///
    /// Appearances are those of ``onScreen(id:perform:)``.
    ///
    /// A view that shows another item in the same place, such as the detail column of a split view, appears once.
    /// Pass the item's id, so each item is a screen:
    /// `.tracks(screen: DLProductViewed(product: product), id: product.id)`.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - id: The id of what the view shows. If it changes while the view is visible, the event is tracked again.
    /// - Returns: The view, which tracks its appearances.
    public func tracks(screen event: some CoreTrackable, id: some Hashable & Sendable = 0) -> some View {
        modifier(ScreenAppearance(id: id) { $0.track(event) })
    }

    /// Calls an action each time the view appears as a screen, once and only while its scene is active.
    ///
    /// Use it instead of `onAppear` to call a presenter that tracks. A return from the background does not count as an
    /// appearance. The view must be in a scene of SwiftUI's life cycle, because it reads the scene's phase. View
    /// controllers must call their presenters themselves.
    ///
    /// - Parameters:
    ///   - id: The id of what the view shows. If it changes while the view is visible, the action is called again.
    ///   - action: The action.
    /// - Returns: The view, which calls the action.
    public func onScreen(
        id: some Hashable & Sendable = 0,
        perform action: @escaping @MainActor () -> Void
    ) -> some View {
        modifier(ScreenAppearance(id: id) { _ in action() })
    }
}

/// A modifier that calls an action at the appearances of a screen, with the tracker of its environment.
private struct ScreenAppearance<ID: Hashable & Sendable>: ViewModifier {
    private struct Moment: Hashable {
        let phase: ScenePhase
        let id: ID
    }

    @Environment(\.tracker) private var tracker
    @Environment(\.scenePhase) private var scenePhase
    @State private var visit = ScreenVisit<ID>()
    let id: ID
    let action: @MainActor (any CoreTracker) -> Void

    func body(content: Content) -> some View {
        content
            .task(id: Moment(phase: scenePhase, id: id)) {
                // A view that disappears at once cancels the task, which runs nevertheless.
                if !Task.isCancelled, visit.appeared(id, isActive: scenePhase == .active) { action(tracker) }
            }
            .onDisappear { visit.disappeared() }
    }
}
#endif

/// An appearance of a screen, which counts once for each id and only while its scene is active.
///
/// SwiftUI calls `onAppear` more often than a user sees the view: repeatedly in lists and tabs, and in an app that the
/// system starts in the background.
struct ScreenVisit<ID: Equatable & Sendable>: Sendable {
    private var shown: ID?

    /// Records that the screen is visible and shows an item.
    ///
    /// Returns whether this is an appearance.
    mutating func appeared(_ id: ID, isActive: Bool) -> Bool {
        guard isActive, shown != id else { return false }
        shown = id
        return true
    }

    /// Records that the screen has disappeared.
    ///
    /// Its next appearance counts again.
    mutating func disappeared() {
        shown = nil
    }
}

/// A tracker that sends no events, for previews and for views without a product's tracker.
///
/// It counts each event with the reason `no_tracker`, on a lane of the product `?`. A preview never opens the engine,
/// so the counts stay in memory.
public struct NoOpTracker: CoreTracker {
    private struct NoOpService: FirebaseService, AwesomeTrackingService, VendorService {
        let ledger: any LossLedger

        func track(_ event: FirebaseEvent) { record(.firebase(event)) }
        func track(_ event: AwesomeTrackingEvent) { record(.awesomeTracking(event)) }
        func track(_ event: VendorEvent) { record(.vendor(event)) }

        private func record(_ event: EventService) { ledger.record(.noTracker(service: event.serviceName)) }
    }

    private let service: NoOpService

    /// Creates a tracker.
    ///
    /// - Parameter ledger: The ledger that counts each event; by default, the one of the app's shared engine.
    public init(ledger: any LossLedger = LaneService(product: "?")) {
        service = NoOpService(ledger: ledger)
    }

    public var firebaseService: any FirebaseService { service }
    public var awesomeTrackingService: any AwesomeTrackingService { service }
    public var vendorService: any VendorService { service }
}
