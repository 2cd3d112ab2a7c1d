/// A pilot that follows the nearest enemy and shoots when the enemy is above the ship.
///
/// It uses only the board, so the same board always gets the same order.
public struct SFSelfPlay: SFPilot {
    /// The maximum horizontal distance, in cells, at which an enemy counts as above the ship.
    private static let aim = 1.0

    /// Creates the pilot.
    public init() {}

    public mutating func order(on board: SFBoard) -> SFOrder {
        guard let own = board.ships.first(where: { $0.side == .player }) else { return .wait }
        let ways = board.ships.lazy.filter { $0.side == .enemy }.map { $0.position.x - own.position.x }
        guard let way = ways.min(by: { abs($0) < abs($1) }) else { return .wait }
        let isAimed = abs(way) <= SFSelfPlay.aim
        return SFOrder(heading: SFVector(x: isAimed ? 0 : way > 0 ? 1 : -1, y: 0), fires: isAimed)
    }
}
