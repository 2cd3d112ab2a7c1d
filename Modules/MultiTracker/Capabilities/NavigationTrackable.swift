/// The capability to record the ways between views that every product has.
public protocol NavigationTrackable: ViewNavigationTrackable {
    /// Records a tap on the back button of a view.
    func trackBackTap(fromView: String)
    /// Records that the settings were opened from a view.
    func trackSettingsOpen(fromView: String)
}
