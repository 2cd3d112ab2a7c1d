/// Stays at the edge.
struct StoppingEdge: Edge {
    func settle(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {
        position = bounds.clamp(position)
    }
}
