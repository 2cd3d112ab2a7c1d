/// A behavior of characters at the edge of their bounds.
public protocol Edge {
    /// Corrects the position and velocity of a character that has just moved.
    ///
    /// - Parameters:
    ///   - position: The new position, in cells.
    ///   - velocity: The velocity, in cells per second.
    ///   - bounds: The bounds of the character.
    func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds)
}
