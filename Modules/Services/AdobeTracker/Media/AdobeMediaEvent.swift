import CoreTracker

/// A media event of Adobe with its `mediaCollection`.
struct AdobeMediaEvent: Sendable, Hashable {
    /// A kind of media event.
    ///
    /// The raw value is its `eventType`.
    enum Kind: String, Sendable, Hashable {
        case sessionStart = "media.sessionStart"
        case play = "media.play"
        case pauseStart = "media.pauseStart"
        case sessionEnd = "media.sessionEnd"
    }

    /// The kind of the event.
    var kind: Kind
    /// The ID of the event's session.
    var sessionID: String
    /// The position in seconds.
    var playhead: Int
    /// The played content, only at the start of a session.
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
