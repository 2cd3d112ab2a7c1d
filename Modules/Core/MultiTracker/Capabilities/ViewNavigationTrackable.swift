/// The capability to record navigation between views.
///
/// ``NavigationTrackable`` and ``HomeTrackable`` both refine it. As a separate protocol, it lets one call of
/// ``Tracker`` reach a vendor once, even if the vendor has both.
public protocol ViewNavigationTrackable: Sendable {
    /// Records the navigation from one view to another.
    ///
    /// - Parameters:
    ///   - toView: The name of the opened view.
    ///   - fromView: The name of the previous view.
    func trackNavigate(toView: String, fromView: String)
}
