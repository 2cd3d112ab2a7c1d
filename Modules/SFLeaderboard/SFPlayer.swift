#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A player and the best score.
public struct SFPlayer: Sendable, Hashable, Identifiable, Codable {
    /// The player's identifier, which stays the same for all scores.
    public let id: UUID
    /// The name that the player has chosen; no other player has it.
    public let nickname: String
    /// The best score.
    public let score: Int

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - id: The identifier; by default a new one.
    ///   - nickname: The name.
    ///   - score: The best score; by default 0.
    public init(id: UUID = UUID(), nickname: String, score: Int = 0) {
        self.id = id
        self.nickname = nickname
        self.score = score
    }
}
