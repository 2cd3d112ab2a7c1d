/// The capability to record taps on the home button, which few vendors care about.
public protocol HomeTapTrackable: Sendable {
    /// Records a tap on the home button.
    func trackHomeTap()
}
