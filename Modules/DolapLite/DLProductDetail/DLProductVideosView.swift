/// A view that plays a product's videos.
@MainActor
public protocol DLProductVideosView: AnyObject {
    /// Plays the video with an id.
    func showPlaying(_ video: String)
    /// Pauses the video.
    func showPaused()
    /// Closes the player.
    func showClosed()
}
