import Testing

@testable import SFGame

@Suite struct CollisionHandlerTests {
    @Test(arguments: [(1.0, true), (1.2, false)])
    func `things touch as far as their radii reach`(distance: Double, touches: Bool) {
        let ship = CollidingShip(.stub(side: .player))
        let bullet = Bullet.stub(side: .enemy, motion: .stub(position: SFVector(x: 5 + distance, y: 5)))

        #expect(CollisionHandler.touch(ship, bullet) == touches)
    }

    @Test func `things of one side fly through each other`() {
        #expect(!CollisionHandler.touch(CollidingShip(.stub(side: .enemy)), Bullet.stub(side: .enemy)))
    }
}
