import CoreTracker
import SFGame
import Testing

@Suite struct SFLevelUpTests {
    @Test func `both services get the level`() {
        let event = SFLevelUp(level: 3)

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "level_up", parameters: ["level": 3])),
                .awesomeTracking(AwesomeTrackingEvent(name: "level_up", parameters: ["level": 3])),
            ]
        )
    }
}
