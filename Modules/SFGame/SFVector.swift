/// A place or a velocity on the board: x to the right, y downwards, in cells or in cells a second.
public struct SFVector: Sendable, Hashable {
    /// To the right.
    public var x: Double
    /// Downwards.
    public var y: Double

    /// Creates a vector.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// No way and no speed.
    public static let zero = SFVector(x: 0, y: 0)

    /// Returns the sum of two vectors.
    static func + (left: SFVector, right: SFVector) -> SFVector {
        SFVector(x: left.x + right.x, y: left.y + right.y)
    }

    /// Returns a vector made longer or shorter.
    static func * (vector: SFVector, factor: Double) -> SFVector {
        SFVector(x: vector.x * factor, y: vector.y * factor)
    }
}
