/// A plain ship, which lives, moves and shoots by the handlers that it is composed of, and collides with nothing.
public final class Ship: Moving, Living, Steering, Shooting {
    public let side: SFSide
    private var motion: MovingHandler
    private var life: LivesHandler
    private var gun: ShootingHandler

    /// Creates a ship from its handlers.
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

    public func shoot() -> (any FlyingThing)? {
        gun.shoot(from: motion.position)
    }

    /// Takes one life, whatever the cause.
    public func loseLife() {
        life.lose()
    }

    public func enrol(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.shooting.append(self)
    }
}
