/// A behavior of characters at the edge of their bounds.
protocol Edge {
    /// Corrects the position and velocity of a character after its move.
    ///
    /// - Parameters:
    ///   - position: The new position, in cells.
    ///   - velocity: The velocity, in cells per second.
    ///   - bounds: The bounds of the character.
    func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds)
}

/// An edge that characters cross.
struct OpenEdge: Edge {
    /// Creates the edge.
    init() {}

    func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {}
}

/// An edge that stops characters without changing their velocity.
struct StoppingEdge: Edge {
    /// Creates the edge.
    init() {}

    func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {
        position = bounds.clamp(position)
    }
}

/// An edge that reverses the direction of a character that reaches it.
struct BouncingEdge: Edge {
    /// Creates the edge.
    init() {}

    func apply(_ position: inout SFVector, _ velocity: inout SFVector, in bounds: Bounds) {
        let inside = bounds.clamp(position)
        if inside.x != position.x { velocity.x = -velocity.x }
        if inside.y != position.y { velocity.y = -velocity.y }
        position = inside
    }
}

/// A rectangle of the board that limits the flight of a character.
struct Bounds: Sendable, Hashable {
    /// The upper left corner.
    let minimum: SFVector
    /// The lower right corner.
    let maximum: SFVector

    /// Creates bounds from two corners.
    ///
    /// - Parameters:
    ///   - minimum: The upper left corner.
    ///   - maximum: The lower right corner.
    init(minimum: SFVector, maximum: SFVector) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Returns whether a position is inside the bounds or on their edge.
    ///
    /// - Parameter place: The position, in cells.
    /// - Returns: Whether the bounds include the position.
    func contains(_ place: SFVector) -> Bool { clamp(place) == place }

    /// Returns the nearest position inside the bounds.
    ///
    /// - Parameter place: The position, in cells.
    /// - Returns: The position itself if the bounds include it.
    func clamp(_ place: SFVector) -> SFVector {
        SFVector(x: min(maximum.x, max(minimum.x, place.x)), y: min(maximum.y, max(minimum.y, place.y)))
    }
}
