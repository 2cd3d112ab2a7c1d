/// Keeps a position and a velocity, and moves the one by the other.
struct MovingHandler {
    /// Where the thing is.
    private(set) var position: SFVector
    /// How fast it flies, in cells a second.
    var velocity: SFVector
    private let bounds: Bounds
    private let edge: any Edge

    /// Starts somewhere in some bounds.
    init(position: SFVector, velocity: SFVector = .zero, bounds: Bounds, edge: any Edge) {
        self.position = position
        self.velocity = velocity
        self.bounds = bounds
        self.edge = edge
    }

    /// Whether the thing is inside its bounds.
    var isInside: Bool { bounds.contain(position) }

    /// Moves for a while.
    mutating func advance(by seconds: Double) {
        position = position + velocity * seconds
        edge.settle(&position, &velocity, in: bounds)
    }
}
