import EventDelivery
import MultiTracker

/// A scripted way through an app with a player: each call is made once, for all vendors that are enabled.
struct PlaybackJourney {
    /// The engine, which is told who plays.
    let engine: DeliveryEngine
    /// What the screens call.
    let tracker: Tracker

    /// Walks and plays; answers what happened.
    func run() -> Storyline {
        engine.identify(user: "dl-user-417")
        engine.startSession()
        tracker.trackLogin()
        tracker.trackTabSelect(view: "videos")
        tracker.trackNavigate(toView: "player", fromView: "videos")
        tracker.trackPlay()
        tracker.trackPause()
        tracker.trackPlay()
        tracker.trackNext()
        tracker.trackPrevious()
        tracker.trackStop()
        tracker.trackBackTap(fromView: "player")
        tracker.trackSettingsOpen(fromView: "videos")
        let scenes = [
            "login", "tab", "player", "play", "pause", "play", "next", "previous", "stop", "back", "settings",
        ]
        return Storyline(product: .dolapLite, scenes: scenes)
    }
}
