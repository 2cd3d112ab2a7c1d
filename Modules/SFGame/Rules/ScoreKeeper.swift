/// Counts the player's points, and the level that they are worth.
struct ScoreKeeper {
    private let enemiesPerLevel: Int
    private var destroyed = 0
    /// The points: 10 for a hit of an enemy, 100 more for its end.
    private(set) var score = 0
    /// The level, from 1.
    private(set) var level = 1

    /// Starts at level 1 without points.
    init(enemiesPerLevel: Int) {
        self.enemiesPerLevel = max(1, enemiesPerLevel)
    }

    /// Takes a moment in; answers whether it ended a level.
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
