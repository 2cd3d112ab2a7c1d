/// The capability to record the navigation between views that every product has.
public protocol NavigationTrackable: ViewNavigationTrackable {
    /// Records a tap on the back button.
    ///
    /// - Parameter fromView: The name of the view with the button.
    func trackBackTap(fromView: String)
    /// Records that the settings were opened.
    ///
    /// - Parameter fromView: The name of the view from which they were opened.
    func trackSettingsOpen(fromView: String)
}
