import CoreTracker
import SFGame
import Testing

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
