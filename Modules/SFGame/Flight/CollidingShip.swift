/// A ship that can also collide: the plain ship, unchanged, and a collision handler around it.
final class CollidingShip: Moving, Living, Steering, Shooting, Colliding {
    /// How far a ship reaches, in cells.
    static let radius = 0.8

    private let ship: Ship
    private let collision: CollisionHandler

    /// Extends a plain ship.
    init(_ ship: Ship, radius: Double = CollidingShip.radius) {
        self.ship = ship
        collision = CollisionHandler(side: ship.side, radius: radius)
    }

    var position: SFVector { ship.position }
    var velocity: SFVector { ship.velocity }
    var lives: Int { ship.lives }
    var isFlying: Bool { ship.isFlying }
    var side: SFSide { collision.side }
    var radius: Double { collision.radius }

    func advance(by seconds: Double) { ship.advance(by: seconds) }

    func steer(_ velocity: SFVector) { ship.steer(velocity) }

    func shoot() -> (any FlyingThing)? { ship.shoot() }

    func collide() -> [GameMoment] {
        guard ship.isFlying else { return [] }
        ship.loseLife()
        let hit = GameMoment.shipHit(side: side, livesLeft: ship.lives)
        return ship.isFlying ? [hit] : [hit, .shipDestroyed(side: side)]
    }

    func enrol(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.shooting.append(self)
        roster.colliding.append(self)
    }
}
