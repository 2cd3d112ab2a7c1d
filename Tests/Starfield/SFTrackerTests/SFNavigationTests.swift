import CoreTracker
import CoreTrackerTesting
import MultiTracker
import SFTracker
import Testing

@Suite struct SFNavigationTests {
    @Test func `moves between screens become events of the tracker`() {
        let tracker = MockTracker()
        let navigation: any NavigationTrackable = SFNavigation(tracker: tracker)

        navigation.trackNavigate(toView: "game", fromView: "menu")
        navigation.trackBackTap(fromView: "game")
        navigation.trackSettingsOpen(fromView: "menu")

        tracker.expect([
            SFNavigated(toView: "game", fromView: "menu"),
            SFTapped(control: .back, fromView: "game"),
            SFTapped(control: .settings, fromView: "menu"),
        ])
    }
}
