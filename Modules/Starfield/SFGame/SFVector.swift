/// A position or a velocity on the board, in cells or in cells per second.
///
/// x grows to the right, y grows downwards.
public struct SFVector: Sendable, Hashable {
    /// The horizontal coordinate, which grows to the right.
    public var x: Double
    /// The vertical coordinate, which grows downwards.
    public var y: Double

    /// Creates a vector.
    ///
    /// - Parameters:
    ///   - x: The horizontal coordinate, which grows to the right.
    ///   - y: The vertical coordinate, which grows downwards.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// The origin, or a velocity of zero.
    public static let zero = SFVector(x: 0, y: 0)

    /// Returns the sum of two vectors.
    static func + (left: SFVector, right: SFVector) -> SFVector {
        SFVector(x: left.x + right.x, y: left.y + right.y)
    }

    /// Returns a vector scaled by a factor.
    static func * (vector: SFVector, factor: Double) -> SFVector {
        SFVector(x: vector.x * factor, y: vector.y * factor)
    }
}
