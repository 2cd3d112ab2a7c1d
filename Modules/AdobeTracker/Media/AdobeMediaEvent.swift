import CoreTracker

/// One of Adobe's media events with the collection that it carries.
struct AdobeMediaEvent: Sendable, Hashable {
    /// The kinds of media events that playback has, by their `eventType`.
    enum Kind: String, Sendable, Hashable {
        case sessionStart = "media.sessionStart"
        case play = "media.play"
        case pauseStart = "media.pauseStart"
        case sessionEnd = "media.sessionEnd"
    }

    /// What happened.
    var kind: Kind
    /// The session that it belongs to.
    var sessionID: String
    /// The position in seconds.
    var playhead: Int
    /// What is played; only the start of a session tells it.
    var details: AdobeMedia?

    /// The event's parameters.
    var parameters: EventParameters {
        var collection: EventParameters = ["sessionID": .string(sessionID), "playhead": .int(playhead)]
        if let details {
            collection["sessionDetails"] = [
                "name": .string(details.name), "playerName": .string(details.playerName),
                "contentType": .string(details.contentType), "length": .int(details.length),
                "channel": .string(details.channel),
            ]
        }
        return ["mediaCollection": .object(collection)]
    }
}
