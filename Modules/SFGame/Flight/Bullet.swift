/// A bullet: it moves, it has one life, and it collides; it cannot shoot, and has no `shoot`.
final class Bullet: Moving, Living, Colliding {
    /// How far a bullet reaches, in cells.
    static let radius = 0.3

    private var motion: MovingHandler
    private var life = LivesHandler(1)
    private let collision: CollisionHandler

    /// Creates a bullet from its handlers.
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

    func enrol(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.colliding.append(self)
    }
}
