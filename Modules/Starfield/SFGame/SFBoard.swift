/// A snapshot of a game, for its view and its pilot.
public struct SFBoard: Sendable, Hashable {
    /// A ship on the board.
    public struct Ship: Sendable, Hashable {
        /// The ship's position.
        public let position: SFVector
        /// The side that owns the ship.
        public let side: SFSide

        /// Creates a ship.
        ///
        /// - Parameters:
        ///   - position: The ship's position.
        ///   - side: The side that owns the ship.
        public init(position: SFVector, side: SFSide) {
            self.position = position
            self.side = side
        }
    }

    /// The characters that can shoot.
    public var ships: [Ship] = []
    /// The positions of all characters, including ships.
    public var positions: [SFVector] = []
    /// The lives of each character with lives.
    public var lives: [Int] = []
    /// The velocities of all moving characters.
    public var velocities: [SFVector] = []
    /// The player's lives.
    public var playerLives = 0
    /// The player's points.
    public var score = 0
    /// The level, from 1.
    public var level = 1
    /// The number of played steps.
    public var step = 0

    /// Creates an empty board.
    public init() {}

    /// The number of characters: ships and bullets.
    public var characters: Int { positions.count }
}

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
