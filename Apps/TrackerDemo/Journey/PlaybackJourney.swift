import DLProductDetail
import EventDelivery
import MultiTracker

/// A scripted journey through an app with a video player.
///
/// Each call is made once for all enabled vendors. In the middle, one vendor is disabled and enabled again. Each change
/// applies to the very next call.
@MainActor
struct PlaybackJourney {
    /// The engine, on which the journey sets the user.
    let engine: DeliveryEngine
    /// The vendors to call.
    let vendors: Vendors

    /// Runs the journey.
    ///
    /// - Returns: The recorded calls.
    func run() -> ScreenLog {
        engine.user.identify("dl-user-417")
        engine.startSession()
        let (tracker, screen) = (vendors.tracker, VideosScreen())
        let player = DLProductVideosPresenter(videos: ["dresses-of-the-week", "behind-the-seams"], playback: tracker)
        player.view = screen
        tracker.trackLogin()
        tracker.trackTabSelect(view: "videos")
        tracker.trackNavigate(toView: "player", fromView: "videos")
        player.play()
        let switched = vendors.firstEnabled
        if let switched { screen.record(vendors.disable(switched)) }
        player.pause()
        player.play()
        if let switched { screen.record(vendors.enable(switched)) }
        player.next()
        player.previous()
        player.close()
        tracker.trackTap(on: "share", fromView: "player")
        tracker.trackBackTap(fromView: "player")
        tracker.trackSettingsOpen(fromView: "videos")
        tracker.trackHomeTap(extraParam: "dresses-of-the-week")
        return ScreenLog(
            product: .dolapLite,
            scenes: ["login", "tab", "player"] + screen.scenes + ["share", "back", "settings", "home"]
        )
    }
}

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
