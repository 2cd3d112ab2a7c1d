import Testing

@testable import SFGame

@Suite struct CollisionsTests {
    @Test func `a character that a collision destroys does not collide again`() {
        let bullet = Bullet.stub(side: .player)
        let ships = [CollidingShip(.stub(side: .enemy)), CollidingShip(.stub(side: .enemy))]

        let moments = Collisions.resolve([bullet] + ships)

        #expect(moments == [.shipHit(side: .enemy, livesLeft: 2)])
        #expect(ships.map(\.lives) == [2, 3])
    }

    @Test func `two bullets of different sides destroy each other`() {
        let bullets = [Bullet.stub(side: .player), Bullet.stub(side: .enemy)]

        _ = Collisions.resolve(bullets)

        #expect(bullets.map(\.isFlying) == [false, false])
    }
}
