/// A plain ship, composed of handlers for its lives, movement and gun.
///
/// It cannot collide.
final class Ship: Moving, Living, Steering, Shooting {
    let side: SFSide
    private var motion: MovingHandler
    private var life: LivesHandler
    private var gun: ShootingHandler

    /// Creates a ship from its handlers.
    ///
    /// - Parameters:
    ///   - side: The side that owns the ship.
    ///   - lives: The handler of its lives.
    ///   - motion: The handler of its position and velocity.
    ///   - gun: The handler of its bullets.
    init(side: SFSide, lives: LivesHandler, motion: MovingHandler, gun: ShootingHandler) {
        self.side = side
        self.life = lives
        self.motion = motion
        self.gun = gun
    }

    var position: SFVector { motion.position }
    var velocity: SFVector { motion.velocity }
    var lives: Int { life.count }
    var isFlying: Bool { life.count > 0 }

    func advance(by seconds: Double) {
        motion.advance(by: seconds)
    }

    func steer(_ velocity: SFVector) {
        motion.velocity = velocity
    }

    func shoot() -> (any GameObject)? {
        gun.shoot(from: motion.position)
    }

    /// Removes one life, regardless of the cause.
    func loseLife() {
        life.lose()
    }

    func register(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.shooting.append(self)
    }
}

/// A colliding ship, composed of a plain ship and a collision handler.
final class CollidingShip: Moving, Living, Steering, Shooting, Colliding {
    /// The radius of a ship, in cells.
    static let radius = 0.8

    private let ship: Ship
    private let collision: CollisionHandler

    /// Creates a colliding ship from a plain ship.
    ///
    /// - Parameters:
    ///   - ship: The plain ship, which stays unchanged.
    ///   - radius: The radius of the ship, in cells.
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

    func shoot() -> (any GameObject)? { ship.shoot() }

    func collide() -> [GameMoment] {
        guard ship.isFlying else { return [] }
        ship.loseLife()
        let hit = GameMoment.shipHit(side: side, livesLeft: ship.lives)
        return ship.isFlying ? [hit] : [hit, .shipDestroyed(side: side)]
    }

    func register(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.shooting.append(self)
        roster.colliding.append(self)
    }
}

/// A bullet, which moves, has one life and can collide.
///
/// It cannot shoot, and has no `shoot` method.
final class Bullet: Moving, Living, Colliding {
    /// The radius of a bullet, in cells.
    static let radius = 0.3

    private var motion: MovingHandler
    private var life = LivesHandler(1)
    private let collision: CollisionHandler

    /// Creates a bullet from its handlers.
    ///
    /// - Parameters:
    ///   - motion: The handler of its position and velocity.
    ///   - collision: The handler of its side and radius.
    init(motion: MovingHandler, collision: CollisionHandler) {
        self.motion = motion
        self.collision = collision
    }

    var position: SFVector { motion.position }
    var velocity: SFVector { motion.velocity }
    var lives: Int { life.count }
    var isFlying: Bool { life.count > 0 && motion.isInside }
    var side: SFSide { collision.side }
    var radius: Double { collision.radius }

    func advance(by seconds: Double) {
        motion.advance(by: seconds)
    }

    func collide() -> [GameMoment] {
        life.lose()
        return []
    }

    func register(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.colliding.append(self)
    }
}
