/// The capability to record links from other apps and from the web.
public protocol DeepLinkTrackable: Sendable {
    /// Records that a link opened a view.
    func trackDeepLinkOpen(toView: String)
}
