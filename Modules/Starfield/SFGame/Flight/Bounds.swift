/// A rectangle of the board that limits the flight of a character.
public struct Bounds: Sendable, Hashable {
    /// The upper left corner.
    public let minimum: SFVector
    /// The lower right corner.
    public let maximum: SFVector

    /// Creates bounds from two corners.
    ///
    /// - Parameters:
    ///   - minimum: The upper left corner.
    ///   - maximum: The lower right corner.
    public init(minimum: SFVector, maximum: SFVector) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Returns whether a position is inside the bounds or on their edge.
    ///
    /// - Parameter place: The position, in cells.
    /// - Returns: Whether the bounds include the position.
    public func contains(_ place: SFVector) -> Bool { clamp(place) == place }

    /// Returns the nearest position inside the bounds.
    ///
    /// - Parameter place: The position, in cells.
    /// - Returns: The position itself if the bounds include it.
    public func clamp(_ place: SFVector) -> SFVector {
        SFVector(x: min(maximum.x, max(minimum.x, place.x)), y: min(maximum.y, max(minimum.y, place.y)))
    }
}
