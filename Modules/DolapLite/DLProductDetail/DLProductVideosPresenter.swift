import CoreTracker
public import MultiTracker

/// The presenter of a product's video player, which reports playback to vendors.
///
/// ```swift
/// presenter = DLProductVideosPresenter(videos: ["v-1", "v-2"], playback: playback)
/// ```
///
/// It depends only on the playback capability. The app passes a `Tracker` that reports to all enabled vendors, or the
/// tracker of one vendor. Tests pass a mock.
@MainActor
public final class DLProductVideosPresenter {
    /// The view, which the presenter references weakly.
    public weak var view: (any DLProductVideosView)?
    private let videos: [String]
    private let playback: any PlaybackTrackable
    private var position = 0
    private var isPlaying = false

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - videos: The ids of the videos, in the order of playback.
    ///   - playback: The capability that receives the playback calls.
    public init(videos: [String], playback: any PlaybackTrackable) {
        self.videos = videos
        self.playback = playback
    }

    /// Plays the current video.
    ///
    /// If there is none, or if it is playing already, nothing happens.
    public func play() {
        guard videos.indices.contains(position), !isPlaying else { return }
        isPlaying = true
        view?.showPlaying(videos[position])
        playback.trackPlay()
    }

    /// Pauses playback.
    ///
    /// If no video is playing, nothing happens.
    public func pause() {
        guard isPlaying else { return }
        isPlaying = false
        view?.showPaused()
        playback.trackPause()
    }

    /// Plays the next video.
    ///
    /// If there is none, nothing happens.
    public func next() {
        guard move(to: position + 1) else { return }
        playback.trackNext()
    }

    /// Plays the previous video.
    ///
    /// If there is none, nothing happens.
    public func previous() {
        guard move(to: position - 1) else { return }
        playback.trackPrevious()
    }

    /// Stops playback and closes the player.
    public func close() {
        isPlaying = false
        view?.showClosed()
        playback.trackStop()
    }

    private func move(to position: Int) -> Bool {
        guard videos.indices.contains(position) else { return false }
        self.position = position
        isPlaying = true
        view?.showPlaying(videos[position])
        return true
    }
}

/// A view that plays a product's videos.
@MainActor
public protocol DLProductVideosView: AnyObject {
    /// Plays a video.
    ///
    /// - Parameter video: The id of the video.
    func showPlaying(_ video: String)
    /// Pauses the video.
    func showPaused()
    /// Closes the player.
    func showClosed()
}

/// The vendors of the product detail's events.
///
/// They are referenced by name, because no feature imports a vendor's module.
extension TrackerType {
    /// Braze, whose campaigns remind users of liked products.
    static let braze: TrackerType = "braze"
}
