import CoreTracker
import SFGame
import Testing

@Suite struct SFGameOverTests {
    @Test func `Firebase gets the score, and AwesomeTracking gets the whole result`() {
        let event = SFGameOver(outcome: .timeUp, score: 240, level: 2, steps: 1200)

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "post_score", parameters: ["score": 240, "level": 2])),
                .awesomeTracking(
                    AwesomeTrackingEvent(
                        name: "game_over",
                        parameters: ["outcome": "time_up", "steps": 1200, "score": 240, "level": 2]
                    )
                ),
            ]
        )
    }
}
