/// Decides what the enemies do: by chance, and more boldly with each level.
struct EnemyCommand {
    private static let turn = 0.01
    private static let fire = 0.003

    private var random: SplitMix64

    /// Creates a command whose decisions follow from a generator.
    init(random: SplitMix64) {
        self.random = random
    }

    /// Returns a velocity to fly with.
    mutating func velocity() -> SFVector {
        SFVector(x: random.number(from: -3, to: 3), y: random.number(from: -1, to: 1))
    }

    /// Returns a new velocity now and then, else `nil`.
    mutating func turn() -> SFVector? {
        random.share() < EnemyCommand.turn ? velocity() : nil
    }

    /// Returns whether to shoot now.
    mutating func fires(at level: Int) -> Bool {
        random.share() < EnemyCommand.fire * Double(level)
    }
}
