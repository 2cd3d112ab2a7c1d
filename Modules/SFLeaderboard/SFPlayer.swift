/// A player and the best score.
public struct SFPlayer: Sendable, Hashable, Codable {
    /// The name that the player has chosen, and that no other one has.
    public let nickname: String
    /// The best score.
    public let score: Int

    /// Creates a player.
    public init(nickname: String, score: Int) {
        self.nickname = nickname
        self.score = score
    }
}
