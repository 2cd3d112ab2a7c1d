/// The capability to record a tap of which only the number counts.
///
/// It is separate from ``NavigationTrackable``, so that a vendor can have either without the other.
/// ``TapTrackable`` records what was tapped, and where.
public protocol OptionalNavigationTrackable: Sendable {
    /// Records a tap.
    func optionalTrackTap()
}
