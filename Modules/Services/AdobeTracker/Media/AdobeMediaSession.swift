/// A state machine that converts playback calls to Adobe's media events.
///
/// Every event belongs to a session, and a session to one title. Adobe has no event for a skip: the session of the old
/// title ends. If it was playing, a session of the new title starts.
struct AdobeMediaSession: Sendable {
    private struct Current {
        let id: String
        var playhead: Int
        var isPlaying = false
    }

    private var current: Current?

    /// Returns the events of a play call.
    ///
    /// The first call starts a session.
    mutating func play(_ media: AdobeMedia?, makeID: () -> String) -> [AdobeMediaEvent] {
        var events = start(media, makeID)
        current?.isPlaying = true
        events += event(.play, media)
        return events
    }

    /// Returns the events of a pause call.
    mutating func pause(_ media: AdobeMedia?, makeID: () -> String) -> [AdobeMediaEvent] {
        var events = start(media, makeID)
        current?.isPlaying = false
        events += event(.pauseStart, media)
        return events
    }

    /// Returns the events of a stop call.
    ///
    /// If there is no session, there are none.
    mutating func stop(_ media: AdobeMedia?) -> [AdobeMediaEvent] {
        let events = event(.sessionEnd, media)
        current = nil
        return events
    }

    /// Returns the events of a skip to another title, which `media` already describes.
    mutating func skip(to media: AdobeMedia?, makeID: () -> String) -> [AdobeMediaEvent] {
        guard let old = current else { return [] }
        // The old title's position is its last known one, because `media` describes the new title.
        let end = AdobeMediaEvent(kind: .sessionEnd, sessionID: old.id, playhead: old.playhead)
        current = nil
        return old.isPlaying ? [end] + play(media, makeID: makeID) : [end]
    }

    private mutating func start(_ media: AdobeMedia?, _ makeID: () -> String) -> [AdobeMediaEvent] {
        guard current == nil else { return [] }
        let session = Current(id: makeID(), playhead: media?.playhead ?? 0)
        current = session
        return [
            AdobeMediaEvent(kind: .sessionStart, sessionID: session.id, playhead: session.playhead, details: media)
        ]
    }

    private mutating func event(_ kind: AdobeMediaEvent.Kind, _ media: AdobeMedia?) -> [AdobeMediaEvent] {
        guard var session = current else { return [] }
        session.playhead = media?.playhead ?? session.playhead
        current = session
        return [AdobeMediaEvent(kind: kind, sessionID: session.id, playhead: session.playhead)]
    }
}
