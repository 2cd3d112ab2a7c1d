/// A bullet: it moves, it has one life, and it collides; it cannot shoot, and has no `shoot`.
public final class Bullet: Moving, Living, Colliding {
    /// How far a bullet reaches, in cells.
    public static let radius = 0.3

    private var motion: MovingHandler
    private var life = LivesHandler(1)
    private let collision: CollisionHandler

    /// Creates a bullet from its handlers.
    public init(motion: MovingHandler, collision: CollisionHandler) {
        self.motion = motion
        self.collision = collision
    }

    public var position: SFVector { motion.position }
    public var velocity: SFVector { motion.velocity }
    public var lives: Int { life.count }
    public var isFlying: Bool { life.count > 0 && motion.isInside }
    public var side: SFSide { collision.side }
    public var radius: Double { collision.radius }

    public func advance(by seconds: Double) {
        motion.advance(by: seconds)
    }

    public func collide() -> [GameMoment] {
        life.lose()
        return []
    }

    public func enrol(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.colliding.append(self)
    }
}
