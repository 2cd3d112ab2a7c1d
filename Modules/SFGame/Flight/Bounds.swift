/// The part of the board that a thing flies in.
struct Bounds {
    /// The left upper corner.
    let least: SFVector
    /// The right lower corner.
    let most: SFVector

    /// Whether a place is inside or on the edge.
    func contain(_ place: SFVector) -> Bool { clamp(place) == place }

    /// Returns the nearest place inside.
    func clamp(_ place: SFVector) -> SFVector {
        SFVector(x: min(most.x, max(least.x, place.x)), y: min(most.y, max(least.y, place.y)))
    }
}
