/// An unordered store of players.
///
/// Nicknames are unique: saving a player replaces the player with the same nickname. A saved player is visible to all
/// later calls. `PlayerRepositoryContractTests` checks each implementation.
public protocol SFPlayerRepository: Sendable {
    /// Returns all players, in any order.
    ///
    /// - Returns: The players.
    /// - Throws: ``SFRepositoryError/unreadable(_:)`` if the players cannot be read.
    func players() throws(SFRepositoryError) -> [SFPlayer]
    /// Saves a player.
    ///
    /// If saving fails, the stored players do not change.
    ///
    /// - Parameter player: The player, who replaces one with the same nickname.
    /// - Throws: ``SFRepositoryError`` if the players cannot be read or written.
    func save(_ player: SFPlayer) throws(SFRepositoryError)
}
