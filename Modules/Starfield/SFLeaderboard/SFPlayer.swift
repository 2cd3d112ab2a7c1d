#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A player and the player's best score.
public struct SFPlayer: Sendable, Hashable, Identifiable, Codable {
    /// The player's identifier, which stays the same for all scores.
    public let id: UUID
    /// The name that the player chose.
    ///
    /// Nicknames are unique.
    public let nickname: String
    /// The best score.
    public let score: Int

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - id: The player's identifier. The default is a new one.
    ///   - nickname: The unique name of the player.
    ///   - score: The best score.
    public init(id: UUID = UUID(), nickname: String, score: Int = 0) {
        self.id = id
        self.nickname = nickname
        self.score = score
    }
}
