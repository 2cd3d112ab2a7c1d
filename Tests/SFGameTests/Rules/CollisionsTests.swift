import Testing

@testable import SFGame

@Suite struct CollisionsTests {
    @Test func `what is gone after a collision takes part in no other`() {
        let bullet = Bullet.stub(side: .player)
        let ships = [CollidingShip(.stub(side: .enemy)), CollidingShip(.stub(side: .enemy))]

        let moments = Collisions.resolve([bullet] + ships)

        #expect(moments == [.shipHit(side: .enemy, livesLeft: 2)])
        #expect(ships.map(\.lives) == [2, 3])
    }

    @Test func `two bullets of different sides end each other`() {
        let bullets = [Bullet.stub(side: .player), Bullet.stub(side: .enemy)]

        _ = Collisions.resolve(bullets)

        #expect(bullets.map(\.isFlying) == [false, false])
    }
}
