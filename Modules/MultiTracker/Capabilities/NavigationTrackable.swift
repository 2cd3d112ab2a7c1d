/// The capability to record the ways between views that every product has.
public protocol NavigationTrackable: Sendable {
    /// Records the way from one view to another.
    func trackNavigate(toView: String, fromView: String)
    /// Records a tap on the back button.
    func trackBackTap()
    /// Records that the settings were opened.
    func trackSettingsOpen()
}
