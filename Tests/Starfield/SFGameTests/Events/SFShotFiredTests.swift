import CoreTracker
import SFGame
import Testing

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
