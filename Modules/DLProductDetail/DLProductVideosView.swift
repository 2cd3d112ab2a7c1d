/// The player of a product's videos: what its presenter tells it to do.
@MainActor
public protocol DLProductVideosView: AnyObject {
    /// Plays a video, by its id.
    func showPlaying(_ video: String)
    /// Holds the video.
    func showPaused()
    /// Closes the player.
    func showClosed()
}
