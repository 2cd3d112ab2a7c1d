/// The numbers of a game; those that make no sense are clamped to the nearest that do.
public struct SFGameRules: Sendable, Hashable {
    /// The board's width, in cells.
    public let width: Int
    /// The board's height, in cells.
    public let height: Int
    /// How many enemies there are.
    public let enemies: Int
    /// How many bullets of a ship fly at most at a time.
    public let bulletsPerShip: Int
    /// How many hits the player survives, and one.
    public let playerLives: Int
    /// How many hits an enemy survives, and one.
    public let enemyLives: Int
    /// How many enemies are to be destroyed for each level.
    public let enemiesPerLevel: Int
    /// After how many steps the game ends at the latest.
    public let steps: Int

    /// Creates rules, by default those of the game: one player, 20 enemies, two bullets from each.
    public init(
        width: Int = 60,
        height: Int = 20,
        enemies: Int = 20,
        bulletsPerShip: Int = 2,
        playerLives: Int = 3,
        enemyLives: Int = 2,
        enemiesPerLevel: Int = 5,
        steps: Int = 1_200
    ) {
        self.width = min(1_000, max(10, width))
        self.height = min(1_000, max(10, height))
        self.enemies = min(1_000, max(1, enemies))
        self.bulletsPerShip = min(1_000, max(0, bulletsPerShip))
        self.playerLives = max(1, playerLives)
        self.enemyLives = max(1, enemyLives)
        self.enemiesPerLevel = max(1, enemiesPerLevel)
        self.steps = max(1, steps)
    }

    /// The time of one step, in seconds; a bullet flies less than its own and a ship's radius in it.
    public static let stepSeconds = 0.05
}
