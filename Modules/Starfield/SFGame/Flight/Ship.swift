/// A plain ship, composed of handlers for its lives, movement and gun.
///
/// It cannot collide.
public final class Ship: Moving, Living, Steering, Shooting {
    public let side: SFSide
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
    public init(side: SFSide, lives: LivesHandler, motion: MovingHandler, gun: ShootingHandler) {
        self.side = side
        self.life = lives
        self.motion = motion
        self.gun = gun
    }

    public var position: SFVector { motion.position }
    public var velocity: SFVector { motion.velocity }
    public var lives: Int { life.count }
    public var isFlying: Bool { life.count > 0 }

    public func advance(by seconds: Double) {
        motion.advance(by: seconds)
    }

    public func steer(_ velocity: SFVector) {
        motion.velocity = velocity
    }

    public func shoot() -> (any GameObject)? {
        gun.shoot(from: motion.position)
    }

    /// Removes one life, regardless of the cause.
    public func loseLife() {
        life.lose()
    }

    public func register(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.shooting.append(self)
    }
}
