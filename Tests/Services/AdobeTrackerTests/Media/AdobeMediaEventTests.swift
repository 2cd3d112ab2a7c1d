import CoreTracker
import Testing

@testable import AdobeTracker

@Suite struct AdobeMediaEventTests {
    @Test func `the start of a session describes the content`() {
        let media = AdobeMedia(name: "m-1", playerName: "app", contentType: "song", length: 200, channel: "home")
        let event = AdobeMediaEvent(kind: .sessionStart, sessionID: "s-1", playhead: 0, details: media)

        let details: ParameterValue = [
            "name": "m-1", "playerName": "app", "contentType": "song", "length": 200, "channel": "home",
        ]
        #expect(
            event.parameters == ["mediaCollection": ["sessionID": "s-1", "playhead": 0, "sessionDetails": details]]
        )
    }

    @Test func `any other event has only its session and position`() {
        let event = AdobeMediaEvent(kind: .play, sessionID: "s-1", playhead: 12)

        #expect(event.parameters == ["mediaCollection": ["sessionID": "s-1", "playhead": 12]])
    }
}
