/// The random decisions of the enemies.
///
/// They shoot more often on higher levels.
struct EnemyCommand {
    private static let turn = 0.01
    private static let fire = 0.003

    private var random: SplitMix64

    /// Creates a command.
    ///
    /// - Parameter random: The source of the decisions.
    init(random: SplitMix64) {
        self.random = random
    }

    /// Returns a random velocity, in cells per second.
    mutating func velocity() -> SFVector {
        SFVector(x: random.number(from: -3, to: 3), y: random.number(from: -1, to: 1))
    }

    /// Returns a new velocity with a probability of 1 percent, or `nil`.
    mutating func turn() -> SFVector? {
        random.share() < EnemyCommand.turn ? velocity() : nil
    }

    /// Returns whether to shoot now.
    ///
    /// The probability grows with the level.
    mutating func fires(at level: Int) -> Bool {
        random.share() < EnemyCommand.fire * Double(level)
    }
}
