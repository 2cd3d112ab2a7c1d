/// The capability to record what happens on the home screen.
public protocol HomeTrackable: Sendable {
    /// Records that a user has signed in.
    func trackLogin()
    /// Records the way from the home screen to a view.
    func trackNavigate(toView: String)
}
