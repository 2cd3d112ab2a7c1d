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

@Suite struct BulletTests {
    @Test func `a bullet disappears when it hits, without reporting a moment`() {
        let bullet = Bullet.stub()

        let moments = bullet.collide()

        #expect(moments.isEmpty)
        #expect(!bullet.isFlying)
    }

    @Test func `a bullet disappears when it leaves the board`() {
        let bullet = Bullet.stub(motion: .stub(velocity: SFVector(x: 0, y: 4)))

        bullet.advance(by: 2)

        #expect(!bullet.isFlying)
        #expect(bullet.lives == 1)
    }
}
