/// A pilot that follows the nearest enemy and shoots when it is above the ship.
///
/// It looks at nothing but the board, so the same board gets the same order.
public struct SFSelfPlay: SFPilot {
    /// How far beside the ship an enemy still counts as above it, in cells.
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
