/// An edge that stops characters without changing their velocity.
public struct StoppingEdge: Edge {
    /// Creates the edge.
    public init() {}

    public func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {
        position = bounds.clamp(position)
    }
}
