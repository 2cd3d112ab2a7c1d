/// A moment of a game that its listener receives.
public enum GameMoment: Sendable, Hashable {
    /// The first step is about to come.
    case started(enemies: Int)
    /// A bullet left a gun.
    case shotFired(side: SFSide)
    /// A ship lost a life.
    case shipHit(side: SFSide, livesLeft: Int)
    /// A ship lost its last life.
    case shipDestroyed(side: SFSide)
    /// The player reached a level.
    case levelUp(level: Int)
    /// The game ended.
    case over(SFOutcome, score: Int, level: Int, steps: Int)
}
