/// The capability to record the ways between views that only some products have and only some vendors take.
///
/// It stands beside ``NavigationTrackable``, so that no vendor has to implement a call that it ignores.
public protocol OptionalNavigationTrackable: Sendable {
    /// Records that a tab of the tab bar was selected.
    func trackTabSelect(view: String)
    /// Records that a link from outside opened a view.
    func trackDeepLinkOpen(toView: String)
}
