/// Knows who can run into whom, and how near that is.
public struct CollisionHandler: Sendable {
    /// Whose the thing is.
    public let side: SFSide
    /// How far it reaches around its position, in cells.
    public let radius: Double

    /// Creates a handler; characters of one side fly through each other.
    public init(side: SFSide, radius: Double) {
        self.side = side
        self.radius = radius
    }

    /// Whether two things touch that are not of one side.
    public static func touch(_ first: any Colliding, _ second: any Colliding) -> Bool {
        guard first.side != second.side else { return false }
        let reach = first.radius + second.radius
        let (x, y) = (first.position.x - second.position.x, first.position.y - second.position.y)
        return x * x + y * y <= reach * reach
    }
}
