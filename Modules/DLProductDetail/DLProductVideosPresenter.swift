public import MultiTracker

/// Drives the player of a product's videos, and tells the vendors what the viewer does with it.
///
/// It holds a capability and nothing more: whoever takes playback may stand behind it, the app's `Tracker` for all
/// enabled vendors, one vendor alone, or a mock.
@MainActor
public final class DLProductVideosPresenter {
    /// The screen; the presenter does not keep it alive.
    public weak var view: (any DLProductVideosView)?
    private let videos: [String]
    private let playback: any PlaybackTrackable
    private var position = 0
    private var isPlaying = false

    /// Creates a presenter of videos, by their ids.
    public init(videos: [String], playback: any PlaybackTrackable) {
        self.videos = videos
        self.playback = playback
    }

    /// Plays the current video; does nothing where none is there or one plays already.
    public func play() {
        guard videos.indices.contains(position), !isPlaying else { return }
        isPlaying = true
        view?.showPlaying(videos[position])
        playback.trackPlay()
    }

    /// Holds the video that plays.
    public func pause() {
        guard isPlaying else { return }
        isPlaying = false
        view?.showPaused()
        playback.trackPause()
    }

    /// Goes on to the next video; at the last one it stays.
    public func next() {
        guard move(to: position + 1) else { return }
        playback.trackNext()
    }

    /// Goes back to the video before; at the first one it stays.
    public func previous() {
        guard move(to: position - 1) else { return }
        playback.trackPrevious()
    }

    /// Ends playing and closes the player.
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
