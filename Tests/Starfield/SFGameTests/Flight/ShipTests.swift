import Testing

@testable import SFGame

@Suite struct ShipTests {
    @Test func `a ship gets its behavior from its handlers`() {
        let ship = Ship.stub(side: .enemy, lives: 2, motion: .stub(velocity: SFVector(x: 1, y: 0)))

        ship.advance(by: 2)
        ship.loseLife()

        #expect(ship.position == SFVector(x: 7, y: 5))
        #expect(ship.lives == 1)
        #expect(ship.isFlying)
    }

    @Test func `a ship without lives is gone`() {
        let ship = Ship.stub(lives: 1)

        ship.loseLife()

        #expect(!ship.isFlying)
    }
}
