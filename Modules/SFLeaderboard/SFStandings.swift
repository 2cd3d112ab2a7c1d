/// The players management: records results and lists players in an order.
///
/// Orders are total: equal scores are in the order of the nicknames.
public protocol SFStandings: Sendable {
    /// Returns all players in an order.
    func players(by order: SFPlayerOrder) throws(SFRepositoryError) -> [SFPlayer]
    /// Records a result; a player's best score counts.
    func record(_ score: Int, of nickname: String) throws(SFRepositoryError)
}
