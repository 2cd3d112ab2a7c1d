/// Keeps a position and a velocity, and moves the one by the other.
public struct MovingHandler {
    /// Where the thing is.
    public private(set) var position: SFVector
    /// How fast it flies, in cells a second.
    public var velocity: SFVector
    private let bounds: Bounds
    private let edge: any Edge

    /// Starts somewhere in some bounds.
    public init(position: SFVector, velocity: SFVector = .zero, bounds: Bounds, edge: any Edge) {
        self.position = position
        self.velocity = velocity
        self.bounds = bounds
        self.edge = edge
    }

    /// Whether the thing is inside its bounds.
    public var isInside: Bool { bounds.contain(position) }

    /// Moves for a while.
    public mutating func advance(by seconds: Double) {
        position = position + velocity * seconds
        edge.settle(&position, &velocity, in: bounds)
    }
}
