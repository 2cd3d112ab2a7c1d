/// The capability to record taps on the home button.
///
/// It is separate from ``HomeTrackable``, because few vendors record these taps.
public protocol HomeTapTrackable: Sendable {
    /// Records a tap on the home button.
    ///
    /// - Parameter extraParam: A value that the app chooses, such as the selected campaign.
    func trackHomeTap(extraParam: String)
}
