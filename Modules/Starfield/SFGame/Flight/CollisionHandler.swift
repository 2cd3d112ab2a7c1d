/// A handler that decides whether two characters collide.
public struct CollisionHandler: Sendable {
    /// The side that owns the character.
    public let side: SFSide
    /// The radius of the character, in cells.
    public let radius: Double

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - side: The side that owns the character. Characters of the same side do not collide.
    ///   - radius: The radius of the character, in cells.
    public init(side: SFSide, radius: Double) {
        self.side = side
        self.radius = radius
    }

    /// Returns whether two characters of different sides touch.
    ///
    /// - Parameters:
    ///   - first: A character.
    ///   - second: Another character.
    /// - Returns: `true` if the sides differ and the distance is at most the sum of the radii.
    public static func touch(_ first: any Colliding, _ second: any Colliding) -> Bool {
        guard first.side != second.side else { return false }
        let reach = first.radius + second.radius
        let (x, y) = (first.position.x - second.position.x, first.position.y - second.position.y)
        return x * x + y * y <= reach * reach
    }
}
