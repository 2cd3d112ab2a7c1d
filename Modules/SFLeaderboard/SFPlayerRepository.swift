/// Where players are kept, in no order that counts.
///
/// A nickname is kept once: saving it again replaces the player. What was saved is found by every later call.
/// `PlayerRepositoryContractTests` checks this of every repository.
public protocol SFPlayerRepository: Sendable {
    /// Returns all players.
    func players() throws(SFRepositoryError) -> [SFPlayer]
    /// Keeps a player; a failure keeps what was there before.
    func save(_ player: SFPlayer) throws(SFRepositoryError)
}
