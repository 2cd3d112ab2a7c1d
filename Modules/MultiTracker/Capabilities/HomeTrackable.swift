/// The capability to record sign-ins, and navigation from and to the home screen.
public protocol HomeTrackable: ViewNavigationTrackable {
    /// Records that a user has signed in.
    func trackLogin()
}
