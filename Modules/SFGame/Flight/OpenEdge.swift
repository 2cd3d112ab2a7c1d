/// Flies on beyond the edge.
struct OpenEdge: Edge {
    func settle(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {}
}
