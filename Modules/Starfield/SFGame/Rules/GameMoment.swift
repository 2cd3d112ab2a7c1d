/// A moment of a game, which its listener receives.
public enum GameMoment: Sendable, Hashable {
    /// The game started.
    case started(enemies: Int)
    /// A ship fired a bullet.
    case shotFired(side: SFSide)
    /// A ship lost a life.
    case shipHit(side: SFSide, livesLeft: Int)
    /// A ship lost its last life.
    case shipDestroyed(side: SFSide)
    /// The player reached a new level.
    case levelUp(level: Int)
    /// The game ended.
    case over(SFOutcome, score: Int, level: Int, steps: Int)
}
