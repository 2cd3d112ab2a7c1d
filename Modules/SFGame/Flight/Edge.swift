/// What a moving thing does at the edge of its bounds.
public protocol Edge {
    /// Puts right the position and the velocity of a thing that has just moved.
    func settle(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds)
}
