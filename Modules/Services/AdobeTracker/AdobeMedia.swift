import CoreTracker

/// A description of a player's content, for Adobe's media events.
public struct AdobeMedia: Sendable, Hashable {
    /// The content's id.
    public var name: String
    /// The player's name.
    public var playerName: String
    /// The kind of content, such as `song`, `podcast`, `audiobook` or `VOD`.
    public var contentType: String
    /// The content's length in seconds.
    public var length: Int
    /// The channel, such as the app's or the station's name.
    public var channel: String
    /// The position in seconds, or the second of the day for a live stream.
    public var playhead: Int

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - name: The content's id.
    ///   - playerName: The player's name.
    ///   - contentType: The kind of content, such as `song`, `podcast`, `audiobook` or `VOD`.
    ///   - length: The content's length in seconds.
    ///   - channel: The channel, such as the name of the app or the station.
    ///   - playhead: The position in seconds, or the second of the day for a live stream.
    public init(
        name: String,
        playerName: String,
        contentType: String,
        length: Int,
        channel: String,
        playhead: Int = 0
    ) {
        self.name = name
        self.playerName = playerName
        self.contentType = contentType
        self.length = length
        self.channel = channel
        self.playhead = playhead
    }
}

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
    /// The id of the event's session.
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

/// A state machine that converts playback calls to Adobe's media events.
///
/// Every event belongs to a session, and a session to one title. Adobe has no event for a skip: the session of the old
/// title ends. If it was playing, a session of the new title starts.
struct AdobeMediaSession: Sendable {
    /// The installation, the user and the decisions under which events are tracked.
    struct Origin: Sendable, Equatable {
        /// The installation's id, or an empty text before the engine is open.
        var deviceID: String
        /// The number of changes of the user or the installation.
        var user = 0
        /// The number of the last erasure.
        var erasure: UInt64 = 0
        /// The number of the last denial.
        var denial: UInt64
        /// Whether consent is denied now, so events are dropped.
        var isDenied: Bool
    }

    private struct Current {
        let id: String
        var playhead: Int
        var isPlaying = false
    }

    private var current: Current?
    private var origin: Origin?

    /// Sets the origin of the next events.
    ///
    /// A session of another origin is forgotten. After a denial, its start may not have been sent. After an erasure, a
    /// change of the user and a reset, it must not be linked to later events.
    mutating func setOrigin(_ origin: Origin) {
        var earlier = self.origin
        // The opening of the engine sets the id of earlier events too.
        if earlier?.deviceID.isEmpty == true { earlier?.deviceID = origin.deviceID }
        if earlier != origin { current = nil }
        self.origin = origin
    }

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
