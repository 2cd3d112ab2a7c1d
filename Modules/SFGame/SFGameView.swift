/// The screen of the game: what its presenter tells it to do.
@MainActor
public protocol SFGameView: AnyObject {
    /// Shows how the game stands; told at the start and after each step.
    func show(_ board: SFBoard)
    /// Shows how the game ended.
    func showEnd(_ outcome: SFOutcome, score: Int)
}
