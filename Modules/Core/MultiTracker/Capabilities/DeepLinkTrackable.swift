/// The capability to record links from other apps and from the web.
public protocol DeepLinkTrackable: Sendable {
    /// Records that a link opened a view.
    ///
    /// - Parameter toView: The view's name.
    func trackDeepLinkOpen(toView: String)
}
