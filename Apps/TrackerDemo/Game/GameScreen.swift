import SFGame

/// A game screen on a terminal.
///
/// It draws each board over the previous one.
@MainActor
final class GameScreen: SFGameView {
    private let terminal: Terminal
    private let game: String

    /// Creates the screen of one game.
    init(terminal: Terminal, game: String) {
        self.terminal = terminal
        self.game = game
    }

    func show(_ board: SFBoard) {
        let status = "game \(game)   lives \(board.playerLives)   level \(board.level)   score \(board.score)"
        let counts = "\(board.characters) characters, \(board.lives.reduce(0, +)) lives"
        terminal.draw(
            BoardText.lines(of: board) + [status + "   " + counts, "arrows fly, space shoots, a plays itself, q quits"]
        )
    }

    func showEnd(_ outcome: SFOutcome, score: Int) {
        terminal.draw(at: 0, "\(outcome.rawValue.uppercased()), \(score) points")
    }
}
