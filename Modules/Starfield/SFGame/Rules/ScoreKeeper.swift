/// A counter of the player's points and level.
struct ScoreKeeper {
    private let enemiesPerLevel: Int
    private var destroyed = 0
    /// The points: 10 for each hit of an enemy, and 100 more if the hit destroys it.
    private(set) var score = 0
    /// The level, from 1.
    private(set) var level = 1

    /// Creates a counter at level 1 without points.
    init(enemiesPerLevel: Int) {
        self.enemiesPerLevel = max(1, enemiesPerLevel)
    }

    /// Counts a moment.
    ///
    /// - Parameter moment: A moment of the game.
    /// - Returns: Whether the moment completed a level.
    mutating func count(_ moment: GameMoment) -> Bool {
        switch moment {
        case .shipHit(.enemy, _): score += 10
        case .shipDestroyed(.enemy):
            score += 100
            destroyed += 1
            let reached = 1 + destroyed / enemiesPerLevel
            defer { level = reached }
            return reached > level
        default: break
        }
        return false
    }
}
