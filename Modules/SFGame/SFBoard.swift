/// What is to be seen of a game at one moment.
public struct SFBoard: Sendable, Hashable {
    /// A ship on the board.
    public struct Ship: Sendable, Hashable {
        /// Where it is.
        public let position: SFVector
        /// Whose it is.
        public let side: SFSide

        /// Creates a ship.
        public init(position: SFVector, side: SFSide) {
            self.position = position
            self.side = side
        }
    }

    /// Everything that can shoot.
    public var ships: [Ship] = []
    /// Where everything is that flies, ships included.
    public var positions: [SFVector] = []
    /// The lives of everything that has lives.
    public var lives: [Int] = []
    /// The velocities of everything that has one.
    public var velocities: [SFVector] = []
    /// The player's lives.
    public var playerLives = 0
    /// The player's points.
    public var score = 0
    /// The level, from 1.
    public var level = 1
    /// How many steps were played.
    public var step = 0

    /// Creates an empty board.
    public init() {}

    /// How many characters there are: ships and bullets.
    public var characters: Int { positions.count }
}
