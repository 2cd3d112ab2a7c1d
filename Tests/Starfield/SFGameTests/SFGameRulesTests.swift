import Testing

@testable import SFGame

@Suite struct SFGameRulesTests {
    @Test func `values out of range are clamped`() {
        let rules = SFGameRules(width: 0, height: .max, enemies: -1, bulletsPerShip: -2, playerLives: 0, steps: .min)

        #expect(rules.width == 10)
        #expect(rules.height == 1_000)
        #expect(rules.enemies == 1)
        #expect(rules.bulletsPerShip == 0)
        #expect(rules.playerLives == 1)
        #expect(rules.steps == 1)
    }
}

@Suite struct SFOrderTests {
    @Test(arguments: [(0.5, 0.5), (7, 1), (-.infinity, -1), (.nan, 0)])
    func `a heading is clamped`(share: Double, clamped: Double) {
        let order = SFOrder(heading: SFVector(x: share, y: share))

        #expect(order.clampedHeading == SFVector(x: clamped, y: clamped))
    }
}

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
