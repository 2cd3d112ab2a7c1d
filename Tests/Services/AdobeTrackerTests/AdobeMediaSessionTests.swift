import CoreTracker
import Testing

@testable import AdobeTracker

@Suite struct AdobeMediaSessionTests {
    private var session = AdobeMediaSession()
    private let first = AdobeMedia(
        name: "tr-1",
        playerName: "app",
        contentType: "song",
        length: 180,
        channel: "radio",
        playhead: 4
    )

    @Test mutating func `the first play starts a session, the next ones go on with it`() {
        let start = session.play(first) { "m-1" }
        let again = session.play(at(9)) { "m-2" }

        #expect(
            start == [
                AdobeMediaEvent(kind: .sessionStart, sessionID: "m-1", playhead: 4, details: first),
                AdobeMediaEvent(kind: .play, sessionID: "m-1", playhead: 4),
            ]
        )
        #expect(again == [AdobeMediaEvent(kind: .play, sessionID: "m-1", playhead: 9)])
    }

    @Test mutating func `a skip while playing ends the old session and plays in a new one`() {
        _ = session.play(at(4)) { "m-1" }
        _ = session.pause(at(30)) { "m-x" }
        _ = session.play(at(31)) { "m-x" }

        let skip = session.skip(to: at(0)) { "m-2" }

        #expect(skip.map(\.kind) == [.sessionEnd, .sessionStart, .play])
        #expect(skip.map(\.sessionID) == ["m-1", "m-2", "m-2"])
        #expect(skip.map(\.playhead) == [31, 0, 0])
    }

    @Test mutating func `a skip while paused only ends the old session`() {
        _ = session.play(at(4)) { "m-1" }
        _ = session.pause(at(30)) { "m-x" }

        #expect(session.skip(to: at(0)) { "m-2" }.map(\.kind) == [.sessionEnd])
        #expect(session.play(at(0)) { "m-3" }.map(\.sessionID) == ["m-3", "m-3"])
    }

    @Test mutating func `a stop ends the session, and a second one has nothing to end`() {
        _ = session.play(at(4)) { "m-1" }

        let stop = session.stop(at(60))

        #expect(stop == [AdobeMediaEvent(kind: .sessionEnd, sessionID: "m-1", playhead: 60)])
        #expect(session.stop(at(60)).isEmpty)
        #expect(session.skip(to: at(0)) { "m-2" }.isEmpty)
    }

    @Test mutating func `without a player, the position is the last known one`() {
        _ = session.play(at(4)) { "m-1" }

        #expect(session.pause(nil) { "m-x" }.map(\.playhead) == [4])
    }

    private func at(_ playhead: Int) -> AdobeMedia {
        var media = first
        media.playhead = playhead
        return media
    }
}

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
