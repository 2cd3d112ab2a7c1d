/// The capability to record what was tapped, and where.
///
/// Its call shares no name with ``OptionalNavigationTrackable/optionalTrackTap()``: a call that lacks an argument does
/// not compile, rather than being another call.
public protocol TapTrackable: Sendable {
    /// Records a tap on an element of a view.
    func trackTap(on element: String, fromView: String)
}
