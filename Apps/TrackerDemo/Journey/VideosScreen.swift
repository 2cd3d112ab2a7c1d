import DLProductDetail

/// The video player.
///
/// It records the calls of its presenter.
@MainActor
final class VideosScreen: DLProductVideosView {
    /// The recorded calls, in order.
    private(set) var scenes: [String] = []

    func showPlaying(_ video: String) { record("plays \(video)") }

    func showPaused() { record("pause") }

    func showClosed() { record("stop") }

    /// Records an action outside the screen.
    func record(_ scene: String) { scenes.append(scene) }
}
