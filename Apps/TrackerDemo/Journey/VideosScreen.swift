import DLProductDetail

/// The video player.
///
/// It records the calls of its presenter.
@MainActor
final class VideosScreen: DLProductVideosView {
    /// The recorded calls, in order.
    private(set) var scenes: [String] = []

    func showPlaying(_ video: String) { note("plays \(video)") }

    func showPaused() { note("pause") }

    func showClosed() { note("stop") }

    /// Records an action outside the screen.
    func note(_ scene: String) { scenes.append(scene) }
}
