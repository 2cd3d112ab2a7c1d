/// A controller of the player's ship, such as a keyboard or the game itself.
package protocol SFPilot {
    /// Returns the order for the next step.
    ///
    /// It is called once before each step.
    ///
    /// - Parameter board: The current state of the game.
    /// - Returns: The order for the player's ship.
    mutating func order(on board: SFBoard) -> SFOrder
}

/// An order of a pilot to the player's ship, for the next step.
public struct SFOrder: Sendable, Hashable {
    /// The direction and speed, as fractions of full speed from -1 to 1.
    ///
    /// Values outside of this range are clamped.
    public var heading: SFVector
    /// Whether the ship shoots.
    public var fires: Bool

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - heading: The direction and speed, as fractions of full speed from -1 to 1.
    ///   - fires: Whether the ship shoots.
    public init(heading: SFVector = .zero, fires: Bool = false) {
        self.heading = heading
        self.fires = fires
    }

    /// An order to stay in place and not to shoot.
    public static let wait = SFOrder()

    /// The heading, clamped to its range.
    ///
    /// If a coordinate is not a number, it becomes 0.
    var clampedHeading: SFVector {
        SFVector(x: SFOrder.clamped(heading.x), y: SFOrder.clamped(heading.y))
    }

    private static func clamped(_ share: Double) -> Double {
        share.isNaN ? 0 : min(1, max(-1, share))
    }
}

/// A pilot that follows the nearest enemy and shoots when the enemy is above the ship.
///
/// It uses only the board, so the same board always gets the same order.
package struct SFSelfPlay: SFPilot {
    /// The maximum horizontal distance, in cells, at which an enemy counts as above the ship.
    private static let aim = 1.0

    /// Creates the pilot.
    package init() {}

    package mutating func order(on board: SFBoard) -> SFOrder {
        guard let own = board.ships.first(where: { $0.side == .player }) else { return .wait }
        let ways = board.ships.lazy.filter { $0.side == .enemy }.map { $0.position.x - own.position.x }
        guard let way = ways.min(by: { abs($0) < abs($1) }) else { return .wait }
        let isAimed = abs(way) <= SFSelfPlay.aim
        return SFOrder(heading: SFVector(x: isAimed ? 0 : way > 0 ? 1 : -1, y: 0), fires: isAimed)
    }
}
