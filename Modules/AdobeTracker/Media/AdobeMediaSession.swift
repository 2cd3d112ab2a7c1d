/// Turns playback calls into Adobe's media events: every event belongs to a session, and a session to one title.
///
/// Adobe has no event for a skip: the session of the old title ends, and where something was playing, one of the new
/// title starts.
struct AdobeMediaSession: Sendable {
    private struct Current {
        let id: String
        var playhead: Int
        var isPlaying = false
    }

    private var current: Current?

    /// The events of a play call; the first one starts a session.
    mutating func play(_ media: AdobeMedia?, makeID: () -> String) -> [AdobeMediaEvent] {
        var events = start(media, makeID)
        current?.isPlaying = true
        events += event(.play, media)
        return events
    }

    /// The events of a pause call.
    mutating func pause(_ media: AdobeMedia?, makeID: () -> String) -> [AdobeMediaEvent] {
        var events = start(media, makeID)
        current?.isPlaying = false
        events += event(.pauseStart, media)
        return events
    }

    /// The events of a stop call; none when nothing was started.
    mutating func stop(_ media: AdobeMedia?) -> [AdobeMediaEvent] {
        let events = event(.sessionEnd, media)
        current = nil
        return events
    }

    /// The events of a skip to another title, which `media` describes already.
    mutating func skip(to media: AdobeMedia?, makeID: () -> String) -> [AdobeMediaEvent] {
        guard let old = current else { return [] }
        // The position of the old title is the last that was told; the media is the new title's.
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
