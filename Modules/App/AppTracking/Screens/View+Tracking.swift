#if canImport(SwiftUI)
public import CoreTracker
public import SwiftUI

extension EnvironmentValues {
    private struct TrackerKey: EnvironmentKey {
        static let defaultValue: any CoreTracker = NoOpTracker()
    }

    /// The tracker for this view hierarchy.
    ///
    /// The default tracks no events.
    public var tracker: any CoreTracker {
        get { self[TrackerKey.self] }
        set { self[TrackerKey.self] = newValue }
    }
}

extension View {
    /// Sets the tracker for this view hierarchy.
    ///
    /// Previews do not set it, so they track no events.
    ///
    /// - Parameter tracker: The tracker.
    public func tracker(_ tracker: any CoreTracker) -> some View {
        environment(\.tracker, tracker)
    }

    /// Tracks an event each time the view appears as a screen, once and only while its scene is active.
    ///
    /// A return from the background does not count as an appearance. The view must be in a scene of SwiftUI's life
    /// cycle, because it reads the scene's phase. View controllers must call the tracker themselves.
    ///
    /// - Parameter event: The event.
    public func tracks(screen event: some CoreTrackable) -> some View {
        modifier(ScreenTracking(event: event))
    }
}

/// A modifier that tracks the appearances of a screen with the tracker of its environment.
private struct ScreenTracking<Event: CoreTrackable>: ViewModifier {
    @Environment(\.tracker) private var tracker
    @Environment(\.scenePhase) private var scenePhase
    @State private var visit = ScreenVisit()
    let event: Event

    func body(content: Content) -> some View {
        content
            .task(id: scenePhase) {
                if visit.appeared(isActive: scenePhase == .active) { tracker.track(event) }
            }
            .onDisappear { visit.disappeared() }
    }
}
#endif
