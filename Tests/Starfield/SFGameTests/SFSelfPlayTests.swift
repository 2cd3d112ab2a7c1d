import SFGame
import Testing

@Suite struct SFSelfPlayTests {
    @Test(arguments: [(30.0, 1.0, false), (2.0, -1.0, false), (20.5, 0.0, true)])
    func `it follows the nearest enemy and shoots if it is below it`(enemy: Double, heading: Double, fires: Bool) {
        var board = SFBoard()
        board.ships = [
            SFBoard.Ship(position: SFVector(x: 20, y: 18), side: .player),
            SFBoard.Ship(position: SFVector(x: enemy, y: 2), side: .enemy),
            SFBoard.Ship(position: SFVector(x: 59, y: 2), side: .enemy),
        ]
        var pilot = SFSelfPlay()

        let order = pilot.order(on: board)

        #expect(order == SFOrder(heading: SFVector(x: heading, y: 0), fires: fires))
    }

    @Test func `without an enemy or its own ship, it waits`() {
        var pilot = SFSelfPlay()

        #expect(pilot.order(on: SFBoard()) == .wait)
    }
}
