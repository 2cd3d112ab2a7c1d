import CoreTracker
import Testing

@testable import SFGame

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

@Suite struct SFShotFiredTests {
    @Test func `only AwesomeTracking gets the side`() {
        let event = SFShotFired(side: .enemy)

        #expect(
            event.services == [
                .awesomeTracking(AwesomeTrackingEvent(name: "shot_fired", parameters: ["side": "enemy"]))
            ]
        )
    }
}

@Suite struct SFShipHitTests {
    @Test func `only AwesomeTracking gets the side and its lives`() {
        let event = SFShipHit(side: .player, livesLeft: 2)

        #expect(
            event.services == [
                .awesomeTracking(AwesomeTrackingEvent(name: "ship_hit", parameters: ["side": "player", "lives": 2]))
            ]
        )
    }
}

@Suite struct SFShipDestroyedTests {
    @Test func `both services get the side`() {
        let event = SFShipDestroyed(side: .enemy)

        #expect(
            event.services == [
                .firebase(FirebaseEvent(name: "ship_destroyed", parameters: ["side": "enemy"])),
                .awesomeTracking(AwesomeTrackingEvent(name: "ship_destroyed", parameters: ["side": "enemy"])),
            ]
        )
    }
}

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
