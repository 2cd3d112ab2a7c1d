/// Fires bullets, no more at a time than its limit.
public struct ShootingHandler {
    /// How far in front of the gun a bullet starts, in cells.
    private static let muzzle = 1.2

    private let side: SFSide
    private let limit: Int
    private let velocity: SFVector
    private let bounds: Bounds
    private var fired: [Bullet] = []

    /// Creates a gun; its bullets fly until they leave the bounds.
    public init(side: SFSide, limit: Int, velocity: SFVector, bounds: Bounds) {
        self.side = side
        self.limit = limit
        self.velocity = velocity
        self.bounds = bounds
    }

    /// Fires from a place; `nil` while as many bullets as allowed are in flight.
    public mutating func shoot(from place: SFVector) -> Bullet? {
        fired.removeAll { !$0.isFlying }
        guard fired.count < limit else { return nil }
        let start = SFVector(x: place.x, y: place.y + (velocity.y < 0 ? -1 : 1) * ShootingHandler.muzzle)
        let motion = MovingHandler(position: start, velocity: velocity, bounds: bounds, edge: OpenEdge())
        let bullet = Bullet(motion: motion, collision: CollisionHandler(side: side, radius: Bullet.radius))
        fired.append(bullet)
        return bullet
    }
}
