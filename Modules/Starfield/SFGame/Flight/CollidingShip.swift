/// A ship that can collide, composed of a plain ship and a collision handler.
public final class CollidingShip: Moving, Living, Steering, Shooting, Colliding {
    /// The radius of a ship, in cells.
    public static let radius = 0.8

    private let ship: Ship
    private let collision: CollisionHandler

    /// Creates a ship that can collide from a plain ship.
    ///
    /// - Parameters:
    ///   - ship: The plain ship, which stays unchanged.
    ///   - radius: The radius of the ship, in cells.
    public init(_ ship: Ship, radius: Double = CollidingShip.radius) {
        self.ship = ship
        collision = CollisionHandler(side: ship.side, radius: radius)
    }

    public var position: SFVector { ship.position }
    public var velocity: SFVector { ship.velocity }
    public var lives: Int { ship.lives }
    public var isFlying: Bool { ship.isFlying }
    public var side: SFSide { collision.side }
    public var radius: Double { collision.radius }

    public func advance(by seconds: Double) { ship.advance(by: seconds) }

    public func steer(_ velocity: SFVector) { ship.steer(velocity) }

    public func shoot() -> (any GameObject)? { ship.shoot() }

    public func collide() -> [GameMoment] {
        guard ship.isFlying else { return [] }
        ship.loseLife()
        let hit = GameMoment.shipHit(side: side, livesLeft: ship.lives)
        return ship.isFlying ? [hit] : [hit, .shipDestroyed(side: side)]
    }

    public func register(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.shooting.append(self)
        roster.colliding.append(self)
    }
}
