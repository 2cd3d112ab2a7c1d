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
    /// The lives of the characters that have lives.
    public var lives: [Int] = []
    /// The velocities of the characters that have one.
    public var velocities: [SFVector] = []
    /// The player's lives.
    public var playerLives = 0
    /// The player's points.
    public var score = 0
    /// The level, from 1.
    public var level = 1
    /// The number of steps that were played.
    public var step = 0

    /// Creates an empty board.
    public init() {}

    /// The number of characters: ships and bullets.
    public var characters: Int { positions.count }
}
