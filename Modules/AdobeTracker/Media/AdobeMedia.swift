/// What a player plays now, as Adobe's media events describe it.
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
    /// The position in seconds; of a live stream, the second of the day.
    public var playhead: Int

    /// Creates a description.
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
