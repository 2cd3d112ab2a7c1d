/// An edge that characters cross.
public struct OpenEdge: Edge {
    /// Creates the edge.
    public init() {}

    public func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {}
}
