import CoreTracker
import SFGame
import Testing

@Suite struct SFGameStartedTests {
    @Test func `both services get the number of enemies`() {
        let event = SFGameStarted(enemies: 20)

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "game_start", parameters: ["enemies": 20])),
                .awesomeTracking(AwesomeTrackingEvent(name: "game_started", parameters: ["enemies": 20])),
            ]
        )
    }
}
