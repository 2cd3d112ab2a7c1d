/// The capability to record sign-ins, and navigation to and from the home screen.
public protocol HomeTrackable: ViewNavigationTrackable {
    /// Records that a user has signed in.
    func trackLogin()
}
