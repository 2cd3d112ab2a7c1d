/// A character that can collide with others.
public protocol Colliding: GameObject {
    /// The side that owns the character.
    ///
    /// Characters of the same side do not collide.
    var side: SFSide { get }
    /// The radius of the character, in cells.
    var radius: Double { get }
    /// Applies the effects of a collision to this character.
    ///
    /// - Returns: The moments to report, in order.
    func collide() -> [GameMoment]
}
