/// A handler that stores a position and a velocity, and updates the position.
public struct MovingHandler {
    /// The position, in cells.
    public private(set) var position: SFVector
    /// The velocity, in cells per second.
    public var velocity: SFVector
    private let bounds: Bounds
    private let edge: any Edge

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - position: The start position, in cells.
    ///   - velocity: The velocity, in cells per second.
    ///   - bounds: The bounds of the flight.
    ///   - edge: The behavior at the edge of the bounds.
    public init(position: SFVector, velocity: SFVector = .zero, bounds: Bounds, edge: any Edge) {
        self.position = position
        self.velocity = velocity
        self.bounds = bounds
        self.edge = edge
    }

    /// Whether the position is inside the bounds.
    public var isInside: Bool { bounds.contains(position) }

    /// Moves the position, and applies the edge's behavior.
    ///
    /// - Parameter seconds: The duration of the move, in seconds.
    public mutating func advance(by seconds: Double) {
        position = position + velocity * seconds
        edge.apply(&position, &velocity, in: bounds)
    }
}
