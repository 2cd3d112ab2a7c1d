/// The capability to record the tapped element and its view.
///
/// The name of its call differs from ``OptionalNavigationTrackable/optionalTrackTap()``. A call with a missing argument
/// therefore does not compile, instead of calling the other one.
public protocol TapTrackable: Sendable {
    /// Records a tap on an element.
    ///
    /// - Parameters:
    ///   - element: The element's name.
    ///   - fromView: The name of the element's view.
    func trackTap(on element: String, fromView: String)
}
