import CoreTracker
import SFGame
import Testing

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
