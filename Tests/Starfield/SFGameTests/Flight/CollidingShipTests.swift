import Testing

@testable import SFGame

@Suite struct CollidingShipTests {
    @Test func `a plain ship does not collide with bullets, and an extended one does`() {
        let plain = Ship.stub()
        var roster = Roster()
        roster.add(plain)
        roster.add(Bullet.stub())

        _ = Collisions.resolve(roster.colliding)
        let livesOfThePlainShip = plain.lives
        roster.add(CollidingShip(plain))
        _ = Collisions.resolve(roster.colliding)

        #expect(livesOfThePlainShip == 3)
        #expect(plain.lives == 2)
    }

    @Test func `an extended ship otherwise behaves like a plain one`() {
        let plain = Ship.stub()
        let ship = CollidingShip(plain)

        ship.steer(SFVector(x: 2, y: 0))
        ship.advance(by: 1)

        #expect(plain.position == SFVector(x: 7, y: 5))
        #expect(ship.position == plain.position)
        #expect(ship.velocity == plain.velocity)
        #expect(ship.shoot() != nil)
    }

    @Test func `a ship is destroyed with its last life, which is reported once`() {
        let ship = CollidingShip(.stub(lives: 1))

        let moments = ship.collide() + ship.collide()

        #expect(moments == [.shipHit(side: .player, livesLeft: 0), .shipDestroyed(side: .player)])
        #expect(!ship.isFlying)
    }
}
