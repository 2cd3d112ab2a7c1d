import DLProductDetail

/// The player of videos, which only notes what it is told to show.
@MainActor
final class VideosScreen: DLProductVideosView {
    /// What was shown, in order.
    private(set) var scenes: [String] = []

    func showPlaying(_ video: String) { note("plays \(video)") }

    func showPaused() { note("pause") }

    func showClosed() { note("stop") }

    /// Notes what happens beside the screen.
    func note(_ scene: String) { scenes.append(scene) }
}
