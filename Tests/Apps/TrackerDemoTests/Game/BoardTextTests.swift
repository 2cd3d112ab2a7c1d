import SFGame
import Testing

@testable import TrackerDemo

@Suite struct BoardTextTests {
    @Test func `ships are drawn over points, and objects outside the board are left out`() {
        var board = SFBoard()
        board.positions = [(2.4, 1.0), (5, 3), (7, 7), (99, 99), (.nan, 0)].map { SFVector(x: $0.0, y: $0.1) }
        board.ships = [
            SFBoard.Ship(position: SFVector(x: 2.4, y: 1), side: .enemy),
            SFBoard.Ship(position: SFVector(x: 5, y: 3), side: .player),
        ]

        let lines = BoardText.lines(of: board, rules: SFGameRules(width: 10, height: 10))

        #expect(lines.count == 12)
        #expect(lines[2] == "│  W       │")
        #expect(lines[4] == "│     A    │")
        #expect(lines[8] == "│       ·  │")
        #expect(lines.allSatisfy { $0.count == 12 })
    }
}
