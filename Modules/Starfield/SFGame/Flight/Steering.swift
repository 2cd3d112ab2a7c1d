/// A character whose velocity the game can set.
public protocol Steering: GameObject {
    /// Sets the character's velocity.
    ///
    /// - Parameter velocity: The velocity, in cells per second.
    func steer(_ velocity: SFVector)
}
