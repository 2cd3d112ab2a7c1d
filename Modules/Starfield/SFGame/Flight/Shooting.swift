/// A character that can shoot.
public protocol Shooting: GameObject {
    /// The side that owns the character.
    var side: SFSide { get }
    /// Fires a bullet.
    ///
    /// - Returns: The bullet, or `nil` if the character cannot shoot at this moment.
    func shoot() -> (any GameObject)?
}
