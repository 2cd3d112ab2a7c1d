/// The capability to record what only some products have and only some vendors take.
///
/// It stands beside ``NavigationTrackable``, so that no vendor has to implement a call that it ignores.
public protocol OptionalNavigationTrackable: Sendable {
    /// Records that a tab of the tab bar was selected.
    func trackTabSelect(view: String)
    /// Records that a link from outside opened a view.
    func trackDeepLinkOpen(toView: String)
    /// Records a tap of which only the number counts; ``TapTrackable`` says what was tapped.
    func optionalTrackTap()
}
