/// The view of a product's video player, as its presenter sees it.
@MainActor
public protocol DLProductVideosView: AnyObject {
    /// Plays the video with an id.
    func showPlaying(_ video: String)
    /// Pauses the video.
    func showPaused()
    /// Closes the player.
    func showClosed()
}
