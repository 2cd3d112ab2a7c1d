#if canImport(SwiftUI)
public import CoreTracker
public import SwiftUI

extension EnvironmentValues {
    private struct TrackerKey: EnvironmentKey {
        static let defaultValue: any CoreTracker = SilentTracker()
    }

    /// The tracker of the views below; one that tracks nothing unless the app has given them another.
    public var tracker: any CoreTracker {
        get { self[TrackerKey.self] }
        set { self[TrackerKey.self] = newValue }
    }
}

extension View {
    /// Gives the views below a tracker.
    ///
    /// Previews, which go without it, track nothing.
    public func tracker(_ tracker: any CoreTracker) -> some View {
        environment(\.tracker, tracker)
    }

    /// Tracks an event each time that the view comes up as a screen: once, and only while its scene is active.
    ///
    /// A return from the background is no new coming up. The scene's phase is SwiftUI's, so the view must stand in a
    /// scene of SwiftUI's life cycle; a view controller tracks by itself.
    public func tracks(screen event: some CoreTrackable) -> some View {
        modifier(ScreenTracking(event: event))
    }
}

/// Tracks the coming up of a screen with the tracker of its environment.
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
