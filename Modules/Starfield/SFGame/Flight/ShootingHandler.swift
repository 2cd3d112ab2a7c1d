/// A handler that fires bullets, up to a maximum number in flight.
public struct ShootingHandler {
    /// The distance between the gun and the start of a bullet, in cells.
    private static let muzzle = 1.2

    private let side: SFSide
    private let limit: Int
    private let velocity: SFVector
    private let bounds: Bounds
    private var fired: [Bullet] = []

    /// Creates a gun.
    ///
    /// - Parameters:
    ///   - side: The side that owns the bullets.
    ///   - limit: The maximum number of bullets in flight.
    ///   - velocity: The velocity of a bullet, in cells per second.
    ///   - bounds: The bounds of the flight. A bullet that leaves them is removed.
    public init(side: SFSide, limit: Int, velocity: SFVector, bounds: Bounds) {
        self.side = side
        self.limit = limit
        self.velocity = velocity
        self.bounds = bounds
    }

    /// Fires a bullet.
    ///
    /// - Parameter place: The position of the gun, in cells.
    /// - Returns: The bullet, or `nil` if the maximum number of bullets is in flight.
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
