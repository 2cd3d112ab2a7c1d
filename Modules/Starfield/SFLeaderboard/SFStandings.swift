/// A service that records results and lists players.
///
/// Orders are total: players with equal scores are ordered by nickname.
public protocol SFStandings: Sendable {
    /// Returns all players in an order.
    ///
    /// - Parameter order: The order of the list.
    /// - Returns: The players.
    /// - Throws: ``SFRepositoryError`` if the players cannot be read.
    func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer]
    /// Records a result.
    ///
    /// Only a player's best score is kept.
    ///
    /// - Parameters:
    ///   - score: The player's points in a game.
    ///   - nickname: The player's unique name. An unknown name creates a player.
    /// - Throws: ``SFRepositoryError`` if the players cannot be read or written.
    func record(_ score: Int, of nickname: String) throws(SFRepositoryError)
}
