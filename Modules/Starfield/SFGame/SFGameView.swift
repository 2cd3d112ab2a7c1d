/// A view that shows a game.
@MainActor
public protocol SFGameView: AnyObject {
    /// Shows the current state of the game.
    ///
    /// The presenter calls it at the start and after each step.
    func show(_ board: SFBoard)
    /// Shows the result of the game.
    func showEnd(_ outcome: SFOutcome, score: Int)
}
