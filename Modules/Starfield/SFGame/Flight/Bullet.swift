/// A bullet, which moves, has one life and can collide.
///
/// It cannot shoot, and has no `shoot` method.
public final class Bullet: Moving, Living, Colliding {
    /// The radius of a bullet, in cells.
    public static let radius = 0.3

    private var motion: MovingHandler
    private var life = LivesHandler(1)
    private let collision: CollisionHandler

    /// Creates a bullet from its handlers.
    ///
    /// - Parameters:
    ///   - motion: The handler of its position and velocity.
    ///   - collision: The handler of its side and radius.
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

    public func register(in roster: inout Roster) {
        roster.flying.append(self)
        roster.moving.append(self)
        roster.living.append(self)
        roster.colliding.append(self)
    }
}
