/// The capability to record the ways between views.
///
/// ``NavigationTrackable`` and ``HomeTrackable`` both have it. It is a protocol of its own, so that one call of
/// ``Tracker`` reaches a vendor once, whichever of the two the vendor has.
public protocol ViewNavigationTrackable: Sendable {
    /// Records the way from one view to another.
    func trackNavigate(toView: String, fromView: String)
}
