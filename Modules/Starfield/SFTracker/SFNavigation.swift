public import CoreTracker
public import MultiTracker

/// A navigation capability that tracks moves between Starfield's screens as events.
///
/// ```swift
/// let navigation: any NavigationTrackable = SFNavigation(tracker: tracker)
/// ```
public struct SFNavigation: NavigationTrackable {
    private let tracker: any CoreTracker

    /// Creates a capability.
    ///
    /// - Parameter tracker: The tracker that receives the events.
    public init(tracker: any CoreTracker = SFTracker()) {
        self.tracker = tracker
    }

    public func trackNavigate(toView: String, fromView: String) {
        tracker.track(SFNavigated(toView: toView, fromView: fromView))
    }

    public func trackBackTap(fromView: String) {
        tracker.track(SFTapped(control: .back, fromView: fromView))
    }

    public func trackSettingsOpen(fromView: String) {
        tracker.track(SFTapped(control: .settings, fromView: fromView))
    }
}
