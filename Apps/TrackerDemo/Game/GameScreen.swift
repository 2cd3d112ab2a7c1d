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

/// A renderer that draws a board as lines of text.
enum BoardText {
    /// Draws each flying object as a point, and ships above them as letters.
    static func lines(of board: SFBoard, rules: SFGameRules = SFGameRules()) -> [String] {
        let row = [Character](repeating: " ", count: rules.width)
        var cells = [[Character]](repeating: row, count: rules.height)
        for position in board.positions { draw("·", at: position, in: &cells) }
        for ship in board.ships { draw(ship.side == .player ? "A" : "W", at: ship.position, in: &cells) }
        let rule = String(repeating: "─", count: rules.width)
        return ["┌\(rule)┐"] + cells.map { "│\(String($0))│" } + ["└\(rule)┘"]
    }

    private static func draw(_ sign: Character, at position: SFVector, in cells: inout [[Character]]) {
        guard position.x.isFinite, position.y.isFinite else { return }
        let (x, y) = (Int(position.x.rounded()), Int(position.y.rounded()))
        guard cells.indices.contains(y), cells[y].indices.contains(x) else { return }
        cells[y][x] = sign
    }
}
