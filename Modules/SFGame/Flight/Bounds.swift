/// A rectangle of the board that a character flies in.
public struct Bounds: Sendable, Hashable {
    /// The left upper corner.
    public let least: SFVector
    /// The right lower corner.
    public let most: SFVector

    /// Creates bounds from two corners.
    public init(least: SFVector, most: SFVector) {
        self.least = least
        self.most = most
    }

    /// Whether a place is inside or on the edge.
    public func contain(_ place: SFVector) -> Bool { clamp(place) == place }

    /// Returns the nearest place inside.
    public func clamp(_ place: SFVector) -> SFVector {
        SFVector(x: min(most.x, max(least.x, place.x)), y: min(most.y, max(least.y, place.y)))
    }
}
