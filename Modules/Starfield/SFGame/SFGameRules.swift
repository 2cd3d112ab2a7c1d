public import CoreTracker

/// The numbers that define a game.
public struct SFGameRules: Sendable, Hashable {
    /// The board's width, in cells.
    public let width: Int
    /// The board's height, in cells.
    public let height: Int
    /// The number of enemies.
    public let enemies: Int
    /// The maximum number of bullets that one ship has in flight.
    public let bulletsPerShip: Int
    /// The number of hits that destroy the player's ship.
    public let playerLives: Int
    /// The number of hits that destroy an enemy's ship.
    public let enemyLives: Int
    /// The number of destroyed enemies that complete a level.
    public let enemiesPerLevel: Int
    /// The maximum number of steps of a game.
    public let steps: Int

    /// Creates rules.
    ///
    /// The defaults are one player and 20 enemies with two bullets each.
    ///
    /// Values out of range are clamped.
    ///
    /// - Parameters:
    ///   - width: The board's width, in cells, from 10 to 1,000.
    ///   - height: The board's height, in cells, from 10 to 1,000.
    ///   - enemies: The number of enemies, from 1 to 1,000.
    ///   - bulletsPerShip: The maximum number of bullets that one ship has in flight, from 0 to 1,000.
    ///   - playerLives: The number of hits that destroy the player's ship, at least 1.
    ///   - enemyLives: The number of hits that destroy an enemy's ship, at least 1.
    ///   - enemiesPerLevel: The number of destroyed enemies that complete a level, at least 1.
    ///   - steps: The maximum number of steps of a game, at least 1.
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

    /// The duration of one step, in seconds.
    ///
    /// In one step, a bullet moves less than the diameter of a ship, so it cannot skip a ship.
    public static let stepSeconds = 0.05
}

/// A side in a fight.
public enum SFSide: String, ParameterRepresentable, Hashable, CaseIterable {
    /// The player's ship.
    case player
    /// All other ships.
    case enemy
}

/// A result of a game.
public enum SFOutcome: String, ParameterRepresentable, Hashable, CaseIterable {
    /// All enemies are destroyed.
    case won
    /// The player has no lives left.
    case lost
    /// The maximum number of steps was played.
    case timeUp = "time_up"
}
