/// A character that has a velocity.
public protocol Moving: GameObject {
    /// The velocity, in cells per second.
    var velocity: SFVector { get }
    /// Moves the character.
    ///
    /// - Parameter seconds: The duration of the move, in seconds.
    func advance(by seconds: Double)
}
