@testable import SFGame

extension MovingHandler {
    /// A character that moves on a board of ten by ten cells.
    static func stub(
        position: SFVector = SFVector(x: 5, y: 5),
        velocity: SFVector = .zero,
        edge: any Edge = OpenEdge()
    ) -> MovingHandler {
        MovingHandler(position: position, velocity: velocity, bounds: .stub, edge: edge)
    }
}

extension Bounds {
    /// A board of ten by ten cells.
    static let stub = Bounds(minimum: .zero, maximum: SFVector(x: 10, y: 10))
}

extension Ship {
    /// A plain ship in the middle of a board of ten by ten cells, with two bullets that fly upwards.
    static func stub(side: SFSide = .player, lives: Int = 3, motion: MovingHandler = .stub()) -> Ship {
        let gun = ShootingHandler(side: side, limit: 2, velocity: SFVector(x: 0, y: -2), bounds: .stub)
        return Ship(side: side, lives: LivesHandler(lives), motion: motion, gun: gun)
    }
}

extension Bullet {
    /// A bullet that does not move, in the middle of a board of ten by ten cells.
    static func stub(side: SFSide = .enemy, motion: MovingHandler = .stub()) -> Bullet {
        Bullet(motion: motion, collision: CollisionHandler(side: side, radius: Bullet.radius))
    }
}
