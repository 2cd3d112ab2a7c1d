public import CoreTracker
public import MultiTracker

/// The ways between Starfield's screens, as events of its tracker.
public struct SFNavigation: NavigationTrackable {
    private let tracker: any CoreTracker

    /// Creates the capability on a tracker.
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
