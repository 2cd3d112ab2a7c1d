/// A rectangle of the board that limits the flight of a character.
public struct Bounds: Sendable, Hashable {
    /// The upper left corner.
    public let least: SFVector
    /// The lower right corner.
    public let most: SFVector

    /// Creates bounds from two corners.
    ///
    /// - Parameters:
    ///   - least: The upper left corner.
    ///   - most: The lower right corner.
    public init(least: SFVector, most: SFVector) {
        self.least = least
        self.most = most
    }

    /// Returns whether a position is inside the bounds or on their edge.
    ///
    /// - Parameter place: The position, in cells.
    /// - Returns: Whether the bounds include the position.
    public func contain(_ place: SFVector) -> Bool { clamp(place) == place }

    /// Returns the nearest position inside the bounds.
    ///
    /// - Parameter place: The position, in cells.
    /// - Returns: The position itself if the bounds include it.
    public func clamp(_ place: SFVector) -> SFVector {
        SFVector(x: min(most.x, max(least.x, place.x)), y: min(most.y, max(least.y, place.y)))
    }
}
