/// The capability to record taps that are only counted.
///
/// It is separate from ``NavigationTrackable`` because a vendor can have either without the other. ``TapTrackable``
/// records the tapped element and its view.
public protocol OptionalNavigationTrackable: Sendable {
    /// Records a tap.
    func optionalTrackTap()
}
