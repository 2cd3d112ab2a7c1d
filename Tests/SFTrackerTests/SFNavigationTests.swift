import CoreTracker
import CoreTrackerTesting
import MultiTracker
import SFTracker
import Testing

@Suite struct SFNavigationTests {
    @Test func `ways between screens become events of the tracker`() {
        let tracker = MockTracker()
        let navigation: any NavigationTrackable = SFNavigation(tracker: tracker)

        navigation.trackNavigate(toView: "game", fromView: "menu")
        navigation.trackBackTap()
        navigation.trackSettingsOpen()

        tracker.expect([
            SFNavigated(toView: "game", fromView: "menu"),
            SFTapped(control: .back),
            SFTapped(control: .settings),
        ])
    }
}
