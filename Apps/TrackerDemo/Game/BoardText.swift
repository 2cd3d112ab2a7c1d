import SFGame

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
