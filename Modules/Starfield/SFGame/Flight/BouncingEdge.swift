/// An edge that reverses the direction of a character that reaches it.
public struct BouncingEdge: Edge {
    /// Creates the edge.
    public init() {}

    public func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {
        let inside = bounds.clamp(position)
        if inside.x != position.x { velocity.x = -velocity.x }
        if inside.y != position.y { velocity.y = -velocity.y }
        position = inside
    }
}
