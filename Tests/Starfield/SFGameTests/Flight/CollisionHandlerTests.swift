import Testing

@testable import SFGame

@Suite struct CollisionHandlerTests {
    @Test(arguments: [(1.0, true), (1.2, false)])
    func `characters touch within their radii`(distance: Double, touches: Bool) {
        let ship = CollidingShip(.stub(side: .player))
        let bullet = Bullet.stub(side: .enemy, motion: .stub(position: SFVector(x: 5 + distance, y: 5)))

        #expect(CollisionHandler.touch(ship, bullet) == touches)
    }

    @Test func `characters of one side do not collide`() {
        #expect(!CollisionHandler.touch(CollidingShip(.stub(side: .enemy)), Bullet.stub(side: .enemy)))
    }
}
