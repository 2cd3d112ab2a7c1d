/// Knows who can run into whom, and how near that is.
struct CollisionHandler {
    /// Whose the thing is.
    let side: SFSide
    /// How far it reaches around its position, in cells.
    let radius: Double

    /// Whether two things touch that are not of one side.
    static func touch(_ first: any Colliding, _ second: any Colliding) -> Bool {
        guard first.side != second.side else { return false }
        let reach = first.radius + second.radius
        let (x, y) = (first.position.x - second.position.x, first.position.y - second.position.y)
        return x * x + y * y <= reach * reach
    }
}
