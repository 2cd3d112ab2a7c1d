/// A handler that stores a position and a velocity, and updates the position.
struct MovingHandler {
    /// The position, in cells.
    private(set) var position: SFVector
    /// The velocity, in cells per second.
    var velocity: SFVector
    private let bounds: Bounds
    private let edge: any Edge

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - position: The start position, in cells.
    ///   - velocity: The velocity, in cells per second.
    ///   - bounds: The bounds of the flight.
    ///   - edge: The behavior at the edge of the bounds.
    init(position: SFVector, velocity: SFVector = .zero, bounds: Bounds, edge: any Edge) {
        self.position = position
        self.velocity = velocity
        self.bounds = bounds
        self.edge = edge
    }

    /// Whether the position is inside the bounds.
    var isInside: Bool { bounds.contains(position) }

    /// Moves the position, and applies the edge's behavior.
    ///
    /// - Parameter seconds: The duration of the move, in seconds.
    mutating func advance(by seconds: Double) {
        position = position + velocity * seconds
        edge.apply(&position, &velocity, in: bounds)
    }
}

/// A handler that fires bullets, up to a maximum number in flight.
struct ShootingHandler {
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
    init(side: SFSide, limit: Int, velocity: SFVector, bounds: Bounds) {
        self.side = side
        self.limit = limit
        self.velocity = velocity
        self.bounds = bounds
    }

    /// Fires a bullet.
    ///
    /// - Parameter place: The position of the gun, in cells.
    /// - Returns: The bullet, or `nil` if the maximum number of bullets is in flight.
    mutating func shoot(from place: SFVector) -> Bullet? {
        fired.removeAll { !$0.isFlying }
        guard fired.count < limit else { return nil }
        let start = SFVector(x: place.x, y: place.y + (velocity.y < 0 ? -1 : 1) * ShootingHandler.muzzle)
        let motion = MovingHandler(position: start, velocity: velocity, bounds: bounds, edge: OpenEdge())
        let bullet = Bullet(motion: motion, collision: CollisionHandler(side: side, radius: Bullet.radius))
        fired.append(bullet)
        return bullet
    }
}

/// A handler that decides whether two characters collide.
struct CollisionHandler: Sendable {
    /// The side that owns the character.
    let side: SFSide
    /// The radius of the character, in cells.
    let radius: Double

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - side: The side that owns the character. Characters of the same side do not collide.
    ///   - radius: The radius of the character, in cells.
    init(side: SFSide, radius: Double) {
        self.side = side
        self.radius = radius
    }

    /// Returns whether two characters of different sides touch.
    ///
    /// - Parameters:
    ///   - first: A character.
    ///   - second: Another character.
    /// - Returns: `true` if the sides differ and the distance is at most the sum of the radii.
    static func touch(_ first: any Colliding, _ second: any Colliding) -> Bool {
        guard first.side != second.side else { return false }
        let reach = first.radius + second.radius
        let (x, y) = (first.position.x - second.position.x, first.position.y - second.position.y)
        return x * x + y * y <= reach * reach
    }
}

/// A handler that counts lives.
struct LivesHandler: Sendable {
    /// The number of remaining lives, from 0.
    private(set) var count: Int

    /// Creates a handler.
    ///
    /// - Parameter count: The number of lives. Negative values count as 0.
    init(_ count: Int) {
        self.count = max(0, count)
    }

    /// Removes one life, if any is left.
    mutating func lose() {
        count = max(0, count - 1)
    }
}
