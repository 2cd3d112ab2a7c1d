/// The capability to record what happens on the home screen, the ways to other views included.
public protocol HomeTrackable: ViewNavigationTrackable {
    /// Records that a user has signed in.
    func trackLogin()
    /// Records a tap on the home button, with what the app wants to say of it, such as the selected campaign.
    func trackHomeTap(extraParam: String)
}
