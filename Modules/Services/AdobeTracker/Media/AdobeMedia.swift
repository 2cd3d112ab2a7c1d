/// A description of the content that a player plays, for Adobe's media events.
public struct AdobeMedia: Sendable, Hashable {
    /// The content's ID.
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
    ///   - name: The content's ID.
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
