/// A plain ship, which lives, moves and shoots by the handlers that it is composed of, and collides with nothing.
final class Ship: Moving, Living, Steering, Shooting {
    let side: SFSide
    private var motion: MovingHandler
    private var life: LivesHandler
    private var gun: ShootingHandler

    /// Creates a ship from its handlers.
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

    func shoot() -> (any FlyingThing)? {
        gun.shoot(from: motion.position)
    }

    /// Takes one life, whatever the cause.
    func loseLife() {
        life.lose()
    }

    func enrol(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.shooting.append(self)
    }
}
