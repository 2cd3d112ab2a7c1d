import CoreTracker
import SFTracker
import Testing

@Suite struct SFNavigatedTests {
    @Test func `Firebase gets the screen, and AwesomeTracking also gets the previous screen`() {
        let event = SFNavigated(toView: "game", fromView: "menu")

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "screen_view", parameters: ["screen_name": "game"])),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "screen_opened",
                        parameters: ["screen": "game", "previous_screen": "menu"]
                    )
                ),
            ]
        )
    }
}
